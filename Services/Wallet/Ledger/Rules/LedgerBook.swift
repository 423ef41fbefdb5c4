import Foundation

/// The locked accounts of a set of transfers and commands, and the decisions made on them. Every decision about money
/// is made here, one after the other, each on the result of the previous one.
struct LedgerBook: Sendable {
    /// A transfer that was posted before.
    struct Posted: Hashable, Sendable {
        let id: UUID
        let kind: Transfer.Kind
        let subject: UUID
        let currency: String
        /// The digest of the request; nil where none was kept.
        var asked: [UInt8]?

        /// Whether a command with the same key asks for the same transfer.
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
        /// The digest of the request; nil where none was kept.
        var asked: [UInt8]?
    }

    /// A command that is refused permanently.
    struct NewRefusal: Hashable, Sendable {
        let key: String
        let reason: LedgerRefusal
        let asked: [UInt8]?
    }

    struct Entry: Hashable, Sendable {
        let account: AccountReference
        /// Minor units; below zero it is a debit.
        let amount: Int
        /// The account's balance after this entry.
        let balance: Int
        /// The floor that applied; nil where the move may overdraw.
        let floor: Int?
    }

    /// A transfer to be written, with both entries of each move.
    struct Posting: Hashable, Sendable {
        let transfer: Transfer
        let entries: [Entry]
    }

    /// A debt made by an overdraft of this set.
    struct NewDebt: Hashable, Sendable {
        let account: AccountReference
        let debtor: AccountReference
        let receiver: AccountReference
        let amount: Int
        let owed: Move.DebtNotice?
    }

    private(set) var balances: [AccountReference: Int]
    private(set) var holds: [UUID: Hold]
    private(set) var postings: [Posting] = []
    private(set) var newHolds: [UUID] = []
    /// Existing holds that this set ends.
    private(set) var endedHolds: [UUID] = []
    /// Holds that are ended by this set but were never placed.
    private(set) var endedEarly: [UUID] = []
    /// Permanent refusals first decided by this set.
    private(set) var newRefusals: [NewRefusal] = []
    private(set) var changedAccounts: Set<AccountReference> = []
    private(set) var newDebts: [NewDebt] = []
    /// Wallets that were credited while below zero.
    private(set) var raisedDebtors: Set<AccountReference> = []

    private var posted: [String: Posted]
    private var refused: [String: Refused]
    private var originals: [String: LedgerCommand.Original]

    /// - Parameters:
    ///   - balances: the balance of every account that the set may touch, in minor units.
    ///   - posted: the already posted transfers among the set's keys.
    ///   - refused: the earlier refusals among the set's keys.
    ///   - holds: the existing holds that the set ends.
    ///   - originals: the transfers that the set reverses, by key.
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

    /// Posts all moves of a transfer, or none.
    ///
    /// - Returns: false when the transfer was posted before.
    /// - Throws: ``LedgerError``; then the book is unchanged.
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

    /// Makes both entries of an amount.
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

    /// Undoes the transfer's earlier moves, last first.
    private mutating func undo(_ entries: [Entry], _ error: LedgerError) -> LedgerError {
        for entry in entries.reversed() { balances[entry.account, default: 0] -= entry.amount }
        return error
    }

    // MARK: Commands

    /// - Parameters:
    ///   - asked: the digest that identifies a repeat; nil where the key suffices.
    ///   - id: the id of the transfer to make.
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
            // An expiry of a hold that was never placed reserves nothing.
            return state == .expired ? .refused(.unknownHold) : endBeforeBegun(id)
        }
        if let known = posted[key] { return .posted(transfer: known.id) }
        guard hold.state == .open else { return .refused(.holdEnded) }
        return finish(hold, as: state, Transfers.giveBack(hold, key: key, id: transfer))
    }

    /// Reserves the id of a hold whose release or capture arrived before its placing. The sender is told that the hold
    /// is unknown and may never ask again, so the placing is refused when it arrives; otherwise the money would wait
    /// for an end that has already passed.
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
            // Cannot happen in a sound ledger: an open hold's account has its amount.
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
            // Not remembered as a refusal: a later attempt may find the money again.
            return .refused(LedgerRefusal(error))
        }
    }

    /// Finds the original transfer, including one posted in this set.
    private func original(_ key: String) -> LedgerCommand.Original? {
        if let known = originals[key] { return known }
        guard let transfer = postings.first(where: { $0.transfer.key == key })?.transfer else { return nil }
        return LedgerCommand.Original(
            subject: transfer.subject, currency: transfer.currency,
            legs: transfer.moves.map { .init(from: $0.from, to: $0.to, amount: $0.amount) })
    }

    /// Posts or refuses a transfer, and returns the same outcome for every repeat.
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
