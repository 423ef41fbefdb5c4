import Foundation

@testable import SeraiWallet

/// The ledger again, for commands, written as simply as it can be and from the README alone: no books, no keys in texts,
/// no batches.
struct LedgerModel {
    struct Line: Hashable {
        let amount: Int
        let balance: Int
    }

    enum Outcome: Hashable {
        case posted
        case refused(LedgerRefusal)
    }

    private enum HoldState { case open, captured, released, expired }

    private struct HeldMoney {
        let owner: UUID
        let currency: String
        let amount: Int
        let subject: UUID
        var state: HoldState
    }

    /// What a command said, word for word.
    private struct Request: Hashable {
        let subject: UUID
        let currency: String
        let legs: [LedgerCommand.Leg]
    }

    private struct Posted {
        let subject: UUID
        let currency: String
        let legs: [LedgerCommand.Leg]
        var isReversed = false
    }

    /// Each account's history.
    private(set) var statements: [AccountReference: [Line]] = [:]
    private var holds: [UUID: HeldMoney] = [:]
    private var refusedHolds: [UUID: Hold] = [:]
    /// Holds that were to end before they were placed.
    private var endedEarly: Set<UUID> = []
    private var transfers: [UUID: Posted] = [:]
    private var refusedTransfers: [UUID: Request] = [:]

    func balance(_ account: AccountReference) -> Int { statements[account]?.last?.balance ?? 0 }

    /// Money from outside.
    mutating func fund(_ account: AccountReference, _ amount: Int, from source: AccountReference) {
        move(amount, from: source, to: account)
    }

    mutating func perform(_ command: LedgerCommand) -> Outcome {
        switch command {
        case .place(let hold): return place(hold)
        case .capture(let id, let shares): return capture(id, shares)
        case .release(let id): return giveBack(id, as: .released)
        case .expire(let id): return giveBack(id, as: .expired)
        case .post(let id, let subject, let currency, let legs): return post(id, subject, currency, legs)
        case .reverse(let id): return reverse(id)
        }
    }

    private mutating func place(_ hold: Hold) -> Outcome {
        guard (1...1_000_000_000_000).contains(hold.amount) else { return .refused(.invalid) }
        if let known = holds[hold.id] {
            let isSame =
                known.owner == hold.owner && known.amount == hold.amount && known.subject == hold.subject
                && known.currency == hold.currency
            return isSame ? .posted : .refused(.keyTaken)
        }
        if endedEarly.contains(hold.id) { return .refused(.holdEnded) }
        if let refused = refusedHolds[hold.id] { return .refused(refused == hold ? .insufficientFunds : .keyTaken) }
        let wallet = AccountReference.wallet(hold.owner, hold.currency)
        guard balance(wallet) >= hold.amount else {
            refusedHolds[hold.id] = hold
            return .refused(.insufficientFunds)
        }
        move(hold.amount, from: wallet, to: .hold(hold.id, hold.currency))
        holds[hold.id] = HeldMoney(
            owner: hold.owner, currency: hold.currency, amount: hold.amount, subject: hold.subject, state: .open)
        return .posted
    }

    private mutating func capture(_ id: UUID, _ shares: [LedgerCommand.Share]) -> Outcome {
        guard !shares.isEmpty, shares.allSatisfy({ $0.amount > 0 }) else { return .refused(.invalid) }
        guard let hold = holds[id] else { return endBeforeBegun(id) }
        if hold.state == .captured { return .posted }
        guard hold.state == .open else { return .refused(.holdEnded) }
        guard shares.allSatisfy({ $0.to.currency == hold.currency }) else { return .refused(.invalid) }
        var left = hold.amount
        for share in shares { left -= share.amount }
        guard left >= 0 else { return .refused(.exceedsHold) }
        for share in shares { move(share.amount, from: .hold(id, hold.currency), to: share.to) }
        if left > 0 { move(left, from: .hold(id, hold.currency), to: .wallet(hold.owner, hold.currency)) }
        holds[id]?.state = .captured
        return .posted
    }

    private mutating func giveBack(_ id: UUID, as state: HoldState) -> Outcome {
        guard let hold = holds[id] else {
            return state == .expired ? .refused(.unknownHold) : endBeforeBegun(id)
        }
        if hold.state == state { return .posted }
        guard hold.state == .open else { return .refused(.holdEnded) }
        move(hold.amount, from: .hold(id, hold.currency), to: .wallet(hold.owner, hold.currency))
        holds[id]?.state = state
        return .posted
    }

    /// Unless its placing was refused, nothing is placed under the id any more.
    private mutating func endBeforeBegun(_ id: UUID) -> Outcome {
        if refusedHolds[id] == nil { endedEarly.insert(id) }
        return .refused(.unknownHold)
    }

    private mutating func post(
        _ id: UUID, _ subject: UUID, _ currency: String, _ legs: [LedgerCommand.Leg]
    ) -> Outcome {
        guard !legs.isEmpty, legs.allSatisfy({ $0.amount > 0 && $0.from != $0.to }) else { return .refused(.invalid) }
        if let known = transfers[id] {
            let isSame = known.subject == subject && known.currency == currency && known.legs == legs
            return isSame ? .posted : .refused(.keyTaken)
        }
        let request = Request(subject: subject, currency: currency, legs: legs)
        if let refused = refusedTransfers[id] {
            return .refused(refused == request ? .insufficientFunds : .keyTaken)
        }
        guard tryAll(legs) else {
            refusedTransfers[id] = request
            return .refused(.insufficientFunds)
        }
        transfers[id] = Posted(subject: subject, currency: currency, legs: legs)
        return .posted
    }

    private mutating func reverse(_ id: UUID) -> Outcome {
        guard let original = transfers[id] else { return .refused(.unknownTransfer) }
        if original.isReversed { return .posted }
        let back = original.legs.reversed().map { LedgerCommand.Leg(from: $0.to, to: $0.from, amount: $0.amount) }
        guard tryAll(back) else { return .refused(.insufficientFunds) }
        transfers[id]?.isReversed = true
        return .posted
    }

    private mutating func tryAll(_ legs: [LedgerCommand.Leg]) -> Bool {
        var left: [AccountReference: Int] = [:]
        for leg in legs {
            left[leg.from, default: balance(leg.from)] -= leg.amount
            left[leg.to, default: balance(leg.to)] += leg.amount
            // Only the platform may go below zero.
            if leg.from.kind == .wallet, left[leg.from] ?? 0 < 0 { return false }
        }
        for leg in legs { move(leg.amount, from: leg.from, to: leg.to) }
        return true
    }

    private mutating func move(_ amount: Int, from: AccountReference, to: AccountReference) {
        statements[from, default: []].append(Line(amount: -amount, balance: balance(from) - amount))
        statements[to, default: []].append(Line(amount: amount, balance: balance(to) + amount))
    }
}
