import Foundation

/// What of a wallet's money came from a card, by the wallet's own history: such money may be spent at once, and leaves by a
/// cash-out only when its time is over.
///
/// The money lies on a pile, at the bottom what came otherwise (``free``), above it each part that came from a card, the
/// newest on top. What is spent is taken from the top, so who tops up and pays has paid with that, and what was earned stays
/// free. A cash-out takes from the bottom. What comes back of something, such as an order's hold, goes back to where it was
/// taken from, with its time; so nothing gets older, or free, by being held and released.
struct CardMoney: Sendable {
    /// A change of the wallet's balance.
    struct Entry: Hashable, Sendable {
        /// Minor units; below zero it was taken.
        let amount: Int
        let at: Date
        /// Nil for one that this program does not know.
        let kind: Transfer.Kind?
        /// What it was for; of a refund its order.
        let subject: UUID
        /// The market where it came from a card; nil where it came otherwise.
        let cardMarket: String?
    }

    /// Money that came from a card.
    struct Part: Hashable, Sendable {
        let at: Date
        let market: String
        /// Minor units.
        var amount: Int
    }

    private enum Origin: Sendable {
        case free
        case card(at: Date, market: String)
    }

    /// Kinds by which something that was taken comes back.
    private static let returns: Set<Transfer.Kind> = [
        .release, .capture, .refund, .reversal, .cashOutReturn, .payoutReturn, .depositReturn, .disputeReturn,
    ]

    /// Minor units; below zero it is owed, and then nothing came from a card.
    private(set) var free: Int
    /// Oldest first.
    private(set) var parts: [Part] = []
    /// What was taken and may come back, by what for, in the order of the taking.
    private var taken: [UUID: [(origin: Origin, amount: Int)]] = [:]

    /// - Parameter opening: the balance before the first entry.
    init(opening: Int) { free = opening }

    /// - Parameters:
    ///   - opening: the balance before the first entry.
    ///   - history: oldest first.
    init(opening: Int, _ history: some Sequence<Entry>) {
        self.init(opening: opening)
        for entry in history { apply(entry) }
    }

    mutating func apply(_ entry: Entry) {
        if entry.amount < 0 {
            take(-entry.amount, for: entry.subject, fromBottom: entry.kind == .cashOut)
        } else {
            var left = entry.amount
            if let kind = entry.kind, Self.returns.contains(kind) { giveBack(&left, of: entry.subject) }
            put(left, entry.cardMarket.map { .card(at: entry.at, market: $0) } ?? .free)
        }
        // What is owed is paid by whatever there is.
        while free < 0, let first = parts.first {
            let paid = min(-free, first.amount)
            free += paid
            shrink(0, by: paid)
        }
    }

    private mutating func take(_ amount: Int, for subject: UUID, fromBottom: Bool) {
        var left = amount
        func note(_ origin: Origin, _ amount: Int) {
            guard amount > 0 else { return }
            taken[subject, default: []].append((origin, amount))
            left -= amount
        }
        if fromBottom {
            let own = min(max(free, 0), left)
            free -= own
            note(.free, own)
        }
        while left > 0, !parts.isEmpty {
            let index = fromBottom ? 0 : parts.count - 1
            let part = parts[index]
            let own = min(part.amount, left)
            shrink(index, by: own)
            note(.card(at: part.at, market: part.market), own)
        }
        free -= left
        note(.free, left)
    }

    /// The last that was taken first.
    private mutating func giveBack(_ left: inout Int, of subject: UUID) {
        while left > 0, let last = taken[subject]?.last {
            let own = min(last.amount, left)
            left -= own
            put(own, last.origin)
            taken[subject]?.removeLast()
            if own < last.amount { taken[subject]?.append((last.origin, last.amount - own)) }
        }
    }

    private mutating func put(_ amount: Int, _ origin: Origin) {
        guard amount > 0 else { return }
        switch origin {
        case .free: free += amount
        case .card(let at, let market):
            let place = parts.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0
            if place > 0, parts[place - 1].at == at, parts[place - 1].market == market {
                parts[place - 1].amount += amount
                return
            }
            parts.insert(Part(at: at, market: market, amount: amount), at: place)
        }
    }

    private mutating func shrink(_ index: Int, by amount: Int) {
        parts[index].amount -= amount
        if parts[index].amount == 0 { parts.remove(at: index) }
    }
}

/// How long money from a card stays out of cash-outs, by the market in which it came.
struct CardHolds: Hashable, Sendable {
    var days: [String: Int] = [:]
    /// Of a market that is not named.
    var otherDays = 14

    /// Older entries of a wallet's history change nothing.
    func beginning(before now: Date) -> Date {
        now.addingTimeInterval(-Double(max(days.values.max() ?? 0, otherDays)) * 86_400)
    }

    func end(of part: CardMoney.Part) -> Date {
        part.at.addingTimeInterval(Double(days[part.market] ?? otherDays) * 86_400)
    }
}

extension CardMoney {
    /// What of a wallet may leave, and when more may.
    struct Leaving: Hashable, Sendable {
        struct Later: Hashable, Sendable {
            let at: Date
            /// Minor units.
            let amount: Int
        }

        /// Minor units, not below zero.
        let now: Int
        /// In the order of time.
        let later: [Later]

        var held: Int { later.reduce(0) { $0 + $1.amount } }
    }

    func leaving(at now: Date, _ holds: CardHolds) -> Leaving {
        let dated = parts.map { Leaving.Later(at: holds.end(of: $0), amount: $0.amount) }
        let later = dated.filter { $0.at > now }.sorted { $0.at < $1.at }
        let over = dated.filter { $0.at <= now }.reduce(0) { $0 + $1.amount }
        return Leaving(now: max(free + over, 0), later: later)
    }
}
