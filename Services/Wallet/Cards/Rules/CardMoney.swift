import Foundation

/// Computes from a wallet's history how much of its money came from cards. Such money may be spent at once, but leaves
/// by a cash-out only after a holding time.
///
/// The model is a stack: at the bottom the money from other sources (``free``), above it the parts from cards, the
/// newest on top. Spending takes from the top, so earned money stays free; a cash-out takes from the bottom. Money
/// returned to a card takes that card's own part first. Money that comes back, such as a released hold, returns to
/// where it was taken from and keeps its time, so holding and releasing neither ages nor frees it. An amount that was
/// owed counts as taken from whatever later paid the debt.
struct CardMoney: Sendable {
    /// A change of the wallet's balance.
    struct Entry: Hashable, Sendable {
        /// Minor units; negative for a debit.
        let amount: Int
        let at: Date
        /// Nil for a kind that this version does not know.
        let kind: Transfer.Kind?
        /// The subject of the change; for a refund, the order.
        let subject: UUID
        /// The market in which the money came from a card; nil for other money.
        let cardMarket: String?
        /// For money returned to a card: the subject with which that card's money came.
        var source: UUID?
        /// The earliest time at which that money came.
        var sourceSince: Date?
        /// For a credit by another account that keeps the times of its card money: the parts.
        var passed: [Passed] = []
    }

    /// Card money of another account that came with a credit and keeps its time.
    struct Passed: Hashable, Sendable {
        /// When it came from the card.
        let at: Date
        let market: String
        /// Minor units.
        let amount: Int

        /// The parts of a credit that is less than what its payer gave, such as a price without the commission. Rounded up.
        static func parts(of credit: Int, _ given: [Given]) -> [Passed] {
            given.filter { $0.whole > 0 }.map { part in
                let share = part.amount.multipliedFullWidth(by: max(credit, 0))
                let (whole, rest) = part.whole.dividingFullWidth(share)
                return Passed(at: part.at, market: part.market, amount: rest > 0 ? whole + 1 : whole)
            }
        }
    }

    /// Card money within what a payer gave, in minor units.
    struct Given: Hashable, Sendable {
        let at: Date
        let market: String
        let amount: Int
        /// All that was given at once, of whatever origin.
        let whole: Int
    }

    /// Money that came from a card.
    struct Part: Hashable, Sendable {
        let at: Date
        let market: String
        /// The subject with which the money came.
        let source: UUID
        /// Minor units.
        var amount: Int
    }

    private enum Origin: Hashable, Sendable {
        case free
        case card(at: Date, market: String, source: UUID)
        /// Owed: not taken from any money yet.
        case owed
    }

    /// An amount that was taken and may come back.
    private struct Taken: Sendable {
        let origin: Origin
        var amount: Int
    }

    private struct Debt: Sendable {
        /// The subject for which the amount was taken; nil for debts from before the history.
        let subject: UUID?
        var amount: Int
    }

    /// The kinds of transfers that bring taken money back.
    private static let returns: Set<Transfer.Kind> = [
        .release, .capture, .refund, .reversal, .cashOutReturn, .payoutReturn, .depositReturn, .disputeReturn,
    ]

    /// Minor units of money that did not come from cards. Negative when money is owed; then there are no parts.
    var free: Int { debts.reduce(bottom) { $0 - $1.amount } }
    /// Oldest first.
    private(set) var parts: [Part] = []
    private let holds: CardHolds
    /// Never negative.
    private var bottom: Int
    /// Oldest first. While there is a debt, there is no money and no part.
    private var debts: [Debt]
    /// Taken amounts by subject, in the order in which they were taken.
    private var taken: [UUID: [Taken]] = [:]

    /// - Parameters:
    ///   - opening: the balance before the first entry.
    ///   - history: the entries, oldest first.
    init(opening: Int, _ history: some Sequence<Entry>, holds: CardHolds = CardHolds()) {
        bottom = max(opening, 0)
        debts = opening < 0 ? [Debt(subject: nil, amount: -opening)] : []
        self.holds = holds
        for entry in history { apply(entry) }
    }

    mutating func apply(_ entry: Entry) {
        guard entry.amount > 0 else { return take(entry) }
        var left = entry.amount
        if let kind = entry.kind, Self.returns.contains(kind) { giveBack(&left, of: entry.subject) }
        for part in entry.passed where left > 0 {
            let own = min(part.amount, left)
            left -= own
            put(own, .card(at: part.at, market: part.market, source: entry.subject))
        }
        put(left, entry.cardMarket.map { .card(at: entry.at, market: $0, source: entry.subject) } ?? .free)
    }

    /// The rest of the money that came from a card with a subject, in minor units.
    func left(of source: UUID) -> Int { parts.reduce(0) { $0 + ($1.source == source ? $1.amount : 0) } }

    /// The card money within what was taken for a subject and has not come back.
    ///
    /// - Parameters:
    ///   - amount: minor units, counted from the first taken money on, or from the last with `fromEnd`.
    func given(for subject: UUID, _ amount: Int, fromEnd: Bool = false) -> [Given] {
        let all = taken[subject] ?? []
        var (left, given): (Int, [Given]) = (amount, [])
        for part in fromEnd ? all.reversed() : all where left > 0 {
            let own = min(part.amount, left)
            left -= own
            guard case .card(let at, let market, _) = part.origin else { continue }
            given.append(Given(at: at, market: market, amount: own, whole: amount))
        }
        return given
    }

    private mutating func take(_ entry: Entry) {
        var left = -entry.amount
        if entry.kind == .cashOut {
            takeFree(&left, for: entry.subject)
            // Takes the part whose holding time ends first. Markets may differ, so an older part may have to wait
            // longer.
            while left > 0,
                let index = parts.indices.min(by: { holds.end(of: parts[$0]) < holds.end(of: parts[$1]) })
            { takePart(index, &left, for: entry.subject) }
        }
        if let source = entry.source {
            while left > 0, let own = parts.lastIndex(where: { $0.source == source }) {
                takePart(own, &left, for: entry.subject)
            }
        }
        while left > 0, !parts.isEmpty { takePart(parts.count - 1, &left, for: entry.subject) }
        takeFree(&left, for: entry.subject)
        guard left > 0 else { return }
        debts.append(Debt(subject: entry.subject, amount: left))
        note(.owed, left, for: entry.subject)
    }

    private mutating func takeFree(_ left: inout Int, for subject: UUID) {
        let own = min(bottom, left)
        bottom -= own
        left -= own
        note(.free, own, for: subject)
    }

    private mutating func takePart(_ index: Int, _ left: inout Int, for subject: UUID) {
        let part = parts[index]
        let own = min(part.amount, left)
        left -= own
        parts[index].amount -= own
        if parts[index].amount == 0 { parts.remove(at: index) }
        note(.card(at: part.at, market: part.market, source: part.source), own, for: subject)
    }

    private mutating func note(_ origin: Origin, _ amount: Int, for subject: UUID) {
        guard amount > 0 else { return }
        taken[subject, default: []].append(Taken(origin: origin, amount: amount))
    }

    /// Returns the most recently taken amounts first.
    private mutating func giveBack(_ left: inout Int, of subject: UUID) {
        while left > 0, let last = taken[subject]?.last {
            let own = min(last.amount, left)
            left -= own
            taken[subject]?.removeLast()
            if own < last.amount { taken[subject]?.append(Taken(origin: last.origin, amount: last.amount - own)) }
            if last.origin == .owed { cancelDebt(own, of: subject) } else { put(own, last.origin) }
        }
    }

    private mutating func cancelDebt(_ amount: Int, of subject: UUID) {
        var left = amount
        while left > 0, let index = debts.lastIndex(where: { $0.subject == subject }) {
            left -= payDebt(index, left)
        }
    }

    /// Adds money. Debts are paid first.
    private mutating func put(_ amount: Int, _ origin: Origin) {
        var left = amount
        while left > 0, let first = debts.first {
            let paid = payDebt(0, left)
            left -= paid
            if let subject = first.subject { settle(paid, of: subject, by: origin) }
        }
        guard left > 0 else { return }
        guard case .card(let at, let market, let source) = origin else {
            bottom += left
            return
        }
        let place = parts.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0
        if place > 0, parts[place - 1].at == at, parts[place - 1].market == market, parts[place - 1].source == source {
            parts[place - 1].amount += left
        } else {
            parts.insert(Part(at: at, market: market, source: source, amount: left), at: place)
        }
    }

    /// - Returns: the amount by which the debt was reduced.
    private mutating func payDebt(_ index: Int, _ amount: Int) -> Int {
        let paid = min(debts[index].amount, amount)
        debts[index].amount -= paid
        if debts[index].amount == 0 { debts.remove(at: index) }
        return paid
    }

    /// Records what has now paid an amount that was taken as owed.
    private mutating func settle(_ amount: Int, of subject: UUID, by origin: Origin) {
        var (left, all) = (amount, taken[subject] ?? [])
        while left > 0, let index = all.firstIndex(where: { $0.origin == .owed }) {
            let own = min(all[index].amount, left)
            left -= own
            all[index].amount -= own
            if all[index].amount == 0 { all.remove(at: index) }
            all.insert(Taken(origin: origin, amount: own), at: index)
        }
        taken[subject] = all
    }
}

/// How long card money is excluded from cash-outs, by the market in which it came.
struct CardHolds: Hashable, Sendable {
    var days: [String: Int] = [:]
    /// Days for markets that are not listed.
    var otherDays = 14

    var areEqual: Bool { days.values.allSatisfy { $0 == otherDays } }

    /// The start of the relevant history: older entries do not affect the result.
    func beginning(before now: Date) -> Date {
        now.addingTimeInterval(-Double(max(days.values.max() ?? 0, otherDays)) * 86_400)
    }

    func end(of part: CardMoney.Part) -> Date {
        part.at.addingTimeInterval(Double(days[part.market] ?? otherDays) * 86_400)
    }
}

extension CardMoney {
    /// How much may leave the wallet now, and when more may.
    struct Leaving: Hashable, Sendable {
        struct Later: Hashable, Sendable {
            let at: Date
            /// Minor units.
            let amount: Int
        }

        /// Minor units, never negative.
        let now: Int
        /// Ordered by time.
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
