import Foundation
import Messaging
import Postgres

/// Posts transfers and performs commands, any number of them in two round trips: one locks and reads the touched rows,
/// ``LedgerBook`` decides, and one writes the result.
///
/// Collect the work of several messages of one transaction with ``enqueue(_:in:)``, which posts it as one set right
/// before the commit. Accounts are locked in one order within a set, but not between two sets.
enum Ledger {
    /// Posts transfers now: all or none.
    ///
    /// - Returns: the ids of newly posted transfers; the others were posted before.
    /// - Throws: ``LedgerError``; then nothing was posted.
    @discardableResult
    static func post(_ transfers: [Transfer], in transaction: PostgresTransaction) async throws -> Set<UUID> {
        guard !transfers.isEmpty else { return [] }
        var locked = try await LockedLedger.lock(for: transfers, [], in: transaction)
        var posted: Set<UUID> = []
        for transfer in transfers where try locked.book.post(transfer) { posted.insert(transfer.id) }
        try await locked.write(in: transaction)
        return posted
    }

    /// Performs commands now, in their order. A refused command does not affect the others.
    /// - Returns: the outcome of each command.
    static func perform(
        _ commands: [LedgerCommand], in transaction: PostgresTransaction
    ) async throws -> [LedgerOutcome] {
        guard !commands.isEmpty else { return [] }
        var locked = try await LockedLedger.lock(for: [], commands, in: transaction)
        let outcomes = locked.perform()
        try await locked.write(in: transaction)
        return outcomes
    }

    /// Posts a transfer right before the commit, together with the transaction's other transfers. Meant for transfers
    /// that cannot be refused, such as those out of escrow or from the payment provider. A refusal rolls back the
    /// transaction.
    static func enqueue(_ transfer: Transfer, in transaction: PostgresTransaction) {
        LedgerBuffer.of(transaction).transfers.append(transfer)
    }

    /// Performs a command right before the commit, together with the transaction's other commands.
    /// - Parameter reply: reports the outcome; called before the commit, after the whole set is written.
    static func enqueue(
        _ command: LedgerCommand, in transaction: PostgresTransaction, reply: @escaping LedgerBuffer.Reply
    ) {
        LedgerBuffer.of(transaction).commands.append((command, reply))
    }
}

/// Collects the transfers and commands of one transaction.
final class LedgerBuffer: CommitParticipant {
    typealias Reply = (LedgerOutcome, PostgresTransaction) throws -> Void

    var transfers: [Transfer] = []
    var commands: [(command: LedgerCommand, reply: Reply)] = []

    static func of(_ transaction: PostgresTransaction) -> LedgerBuffer {
        transaction.participant(LedgerBuffer.self) { LedgerBuffer() }
    }

    func willCommit(_ transaction: PostgresTransaction) async throws {
        guard !transfers.isEmpty || !commands.isEmpty else { return }
        var locked = try await LockedLedger.lock(for: transfers, commands.map(\.command), in: transaction)
        for transfer in transfers { try locked.book.post(transfer) }
        let outcomes = locked.perform()
        // Replies run after the write and see its result, since a hold may be placed and ended in one set.
        try await locked.write(in: transaction)
        for ((_, reply), outcome) in zip(commands, outcomes) { try reply(outcome, transaction) }
    }

    /// The sum that the enqueued transfers add to an account; negative when they debit it.
    func change(of account: AccountReference) -> Int {
        transfers.flatMap(\.moves).reduce(0) { sum, move in
            sum + (move.to == account ? move.amount : 0) - (move.from == account ? move.amount : 0)
        }
    }
}
