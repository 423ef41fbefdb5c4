import Foundation

/// The accounts that a set of transfers and commands touches, as they are while their rows are locked, and what the set
/// makes of them. Every decision about money is made here, one after the other, each on what the one before has left.
struct LedgerBook: Sendable {
    /// A transfer that was posted before.
    struct Posted: Hashable, Sendable {
        let id: UUID
        let kind: Transfer.Kind
        let subject: UUID
        let currency: String
        /// A digest of what was asked; nil where nobody kept one.
        var asked: [UInt8]?

        /// Whether another command of the same key asks for the same.
        func isSame(as transfer: Transfer) -> Bool {
            guard kind == transfer.kind, subject == transfer.subject, currency == transfer.currency else {
                return false
            }
            return asked == nil || asked == transfer.asked
        }
    }

    /// A command that was refused before.
    struct Refused: Hashable, Sendable {
        let reason: LedgerRefusal
        /// A digest of what was asked; nil where nobody kept one.
        var asked: [UInt8]?
    }

    /// A command that is refused for good.
    struct NewRefusal: Hashable, Sendable {
        let key: String
        let reason: LedgerRefusal
        let asked: [UInt8]?
    }

    struct Entry: Hashable, Sendable {
        let account: AccountReference
        /// Minor units; below zero it is a debit.
        let amount: Int
        /// Of the account, after this entry.
        let balance: Int
        /// The floor that held for it; nil where it may overdraw.
        let floor: Int?
    }

    /// A transfer that is to be written, with both entries of each of its moves.
    struct Posting: Hashable, Sendable {
        let transfer: Transfer
        let entries: [Entry]
    }

    /// A debt that an overdraft of the set has made.
    struct NewDebt: Hashable, Sendable {
        let account: AccountReference
        let debtor: AccountReference
        let receiver: AccountReference
        let amount: Int
        let owed: Move.Owed?
    }

    private(set) var balances: [AccountReference: Int]
    private(set) var holds: [UUID: Hold]
    private(set) var postings: [Posting] = []
    private(set) var newHolds: [UUID] = []
    /// Holds that were there before and have ended.
    private(set) var endedHolds: [UUID] = []
    /// Holds that were to end before they had begun.
    private(set) var endedEarly: [UUID] = []
    /// By key; those that were not known before.
    private(set) var newRefusals: [NewRefusal] = []
    private(set) var changedAccounts: Set<AccountReference> = []
    private(set) var newDebts: [NewDebt] = []
    /// Wallets that were credited while they were below zero.
    private(set) var raisedDebtors: Set<AccountReference> = []

    private var posted: [String: Posted]
    private var refused: [String: Refused]
    private var originals: [String: LedgerCommand.Original]

    /// - Parameters:
    ///   - balances: of every account that the set may touch, in minor units.
    ///   - posted: transfers by key, of all keys of the set that there are.
    ///   - refused: what commands of the set were refused for before, by key.
    ///   - holds: those that the set names.
    ///   - originals: transfers that the set reverses, by key.
    init(
        balances: [AccountReference: Int], posted: [String: Posted] = [:], refused: [String: Refused] = [:],
        holds: [UUID: Hold] = [:], originals: [String: LedgerCommand.Original] = [:]
    ) {
        self.balances = balances
        self.posted = posted
        self.refused = refused
        self.holds = holds
        self.originals = originals
    }

    // MARK: Transfers

    /// Posts a transfer, or nothing of it.
    ///
    /// - Returns: whether it was not posted before.
    /// - Throws: ``LedgerError``: then the book is as it was.
    @discardableResult
    mutating func post(_ transfer: Transfer) throws(LedgerError) -> Bool {
        guard posted[transfer.key] == nil else { return false }
        var entries: [Entry] = []
        entries.reserveCapacity(2 * transfer.moves.count)
        var debts: [NewDebt] = []
        for move in transfer.moves {
            let covered = move.waitsForDebtor ? min(move.amount, max(0, balances[move.from, default: 0])) : move.amount
            if covered > 0 { try step(covered, move, to: move.to, &entries) }
            guard covered < move.amount else { continue }
            let debt = NewDebt(
                account: .debt(transfer.id, transfer.currency, place: debts.count), debtor: move.from,
                receiver: move.to, amount: move.amount - covered, owed: move.owed)
            try step(debt.amount, move, to: debt.account, &entries)
            debts.append(debt)
        }
        newDebts += debts
        for entry in entries where entry.amount > 0 && entry.balance - entry.amount < 0 && entry.account.kind == .wallet
        {
            raisedDebtors.insert(entry.account)
        }
        for entry in entries { changedAccounts.insert(entry.account) }
        posted[transfer.key] = Posted(
            id: transfer.id, kind: transfer.kind, subject: transfer.subject, currency: transfer.currency,
            asked: transfer.asked)
        postings.append(Posting(transfer: transfer, entries: entries))
        return true
    }

    /// Both entries of an amount.
    private mutating func step(
        _ amount: Int, _ move: Move, to: AccountReference, _ entries: inout [Entry]
    ) throws(LedgerError) {
        let floor = move.overdraws ? nil : move.from.floor
        let (left, isTooLow) = balances[move.from, default: 0].subtractingReportingOverflow(amount)
        if isTooLow { throw undo(entries, .overflow) }
        if let floor, left < floor { throw undo(entries, .insufficientFunds) }
        balances[move.from] = left
        entries.append(Entry(account: move.from, amount: -amount, balance: left, floor: floor))
        let (grown, isTooHigh) = balances[to, default: 0].addingReportingOverflow(amount)
        if isTooHigh { throw undo(entries, .overflow) }
        balances[to] = grown
        entries.append(
            Entry(account: to, amount: amount, balance: grown, floor: move.overdraws ? nil : to.floor))
    }

    /// Undoes what the moves before have done, the last first.
    private mutating func undo(_ entries: [Entry], _ error: LedgerError) -> LedgerError {
        for entry in entries.reversed() { balances[entry.account, default: 0] -= entry.amount }
        return error
    }

    // MARK: Commands

    /// - Parameters:
    ///   - asked: a digest of the command, by which its repeat is known; nil where the key says it all.
    ///   - id: of the transfer that it makes.
    mutating func perform(_ command: LedgerCommand, asked: [UInt8]?, id: UUID) -> LedgerOutcome {
        guard command.isValid else { return .refused(.invalid) }
        switch command {
        case .place(let hold): return place(hold, command.key, asked, id: id)
        case .capture(let hold, let shares): return capture(hold, shares, command.key, id: id)
        case .release(let hold): return end(hold, as: .released, command.key, id: id)
        case .expire(let hold): return end(hold, as: .expired, command.key, id: id)
        case .post(_, let subject, let currency, let legs):
            var transfer = Transfers.commanded(legs, of: subject, currency, key: command.key, id: id)
            transfer.asked = asked
            return once(transfer)
        case .reverse: return reverse(command, id: id)
        }
    }

    private mutating func place(_ hold: Hold, _ key: String, _ asked: [UInt8]?, id: UUID) -> LedgerOutcome {
        let isNew = posted[key] == nil
        var transfer = Transfers.place(hold, key: key, id: id)
        transfer.asked = asked
        let outcome = once(transfer)
        if isNew, case .posted = outcome {
            holds[hold.id] = hold
            newHolds.append(hold.id)
        }
        return outcome
    }

    private mutating func capture(
        _ id: UUID, _ shares: [LedgerCommand.Share], _ key: String, id transfer: UUID
    ) -> LedgerOutcome {
        guard let hold = holds[id] else { return endBeforeBegun(id) }
        if let known = posted[key] { return .posted(transfer: known.id) }
        guard hold.state == .open else { return .refused(.holdEnded) }
        guard shares.allSatisfy({ $0.to.currency == hold.currency && $0.to != hold.account }) else {
            return .refused(.invalid)
        }
        guard shares.reduce(0, { $0 + $1.amount }) <= hold.amount else { return .refused(.exceedsHold) }
        return finish(hold, as: .captured, Transfers.capture(hold, shares, key: key, id: transfer))
    }

    private mutating func end(_ id: UUID, as state: Hold.State, _ key: String, id transfer: UUID) -> LedgerOutcome {
        guard let hold = holds[id] else {
            // Time ends nothing that has not begun.
            return state == .expired ? .refused(.unknownHold) : endBeforeBegun(id)
        }
        if let known = posted[key] { return .posted(transfer: known.id) }
        guard hold.state == .open else { return .refused(.holdEnded) }
        return finish(hold, as: state, Transfers.giveBack(hold, key: key, id: transfer))
    }

    /// What ends a hold was heard before what places it. Who asked is told that there is none, and would not ask again: so
    /// none begins, and nobody's money waits for an end that has been. The placing is refused when it comes.
    private mutating func endBeforeBegun(_ id: UUID) -> LedgerOutcome {
        let key = LedgerCommand.placeKey(of: id)
        if refused[key] == nil {
            refused[key] = Refused(reason: .holdEnded, asked: nil)
            newRefusals.append(NewRefusal(key: key, reason: .holdEnded, asked: nil))
            endedEarly.append(id)
        }
        return .refused(.unknownHold)
    }

    private mutating func finish(_ hold: Hold, as state: Hold.State, _ transfer: Transfer) -> LedgerOutcome {
        do throws(LedgerError) {
            try post(transfer)
        } catch {
            // An open hold has its amount; the ledger would have to be wrong.
            return .refused(LedgerRefusal(error))
        }
        holds[hold.id]?.state = state
        if !newHolds.contains(hold.id) { endedHolds.append(hold.id) }
        return .posted(transfer: transfer.id)
    }

    private mutating func reverse(_ command: LedgerCommand, id: UUID) -> LedgerOutcome {
        if let known = posted[command.key] { return .posted(transfer: known.id) }
        guard let key = command.originalKey, let original = original(key) else { return .refused(.unknownTransfer) }
        do throws(LedgerError) {
            try post(Transfers.opposite(of: original, key: command.key, id: id))
            return .posted(transfer: id)
        } catch {
            // Not for ever: the money may come back to where it has to be taken from.
            return .refused(LedgerRefusal(error))
        }
    }

    /// Also of this very set.
    private func original(_ key: String) -> LedgerCommand.Original? {
        if let known = originals[key] { return known }
        guard let transfer = postings.first(where: { $0.transfer.key == key })?.transfer else { return nil }
        return LedgerCommand.Original(
            subject: transfer.subject, currency: transfer.currency,
            legs: transfer.moves.map { .init(from: $0.from, to: $0.to, amount: $0.amount) })
    }

    /// Posts it or refuses it, and says the same whenever it comes again.
    private mutating func once(_ transfer: Transfer) -> LedgerOutcome {
        if let known = posted[transfer.key] {
            return known.isSame(as: transfer) ? .posted(transfer: known.id) : .refused(.keyTaken)
        }
        if let known = refused[transfer.key] {
            let isSame = known.asked == nil || known.asked == transfer.asked
            return .refused(isSame ? known.reason : .keyTaken)
        }
        do throws(LedgerError) {
            try post(transfer)
            return .posted(transfer: transfer.id)
        } catch {
            let reason = LedgerRefusal(error)
            refused[transfer.key] = Refused(reason: reason, asked: transfer.asked)
            newRefusals.append(NewRefusal(key: transfer.key, reason: reason, asked: transfer.asked))
            return .refused(reason)
        }
    }
}
