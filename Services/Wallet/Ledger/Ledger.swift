import Foundation
import Messaging
import Postgres

/// Posts transfers and performs commands, any number of them in two round trips: one locks and reads what they touch,
/// ``LedgerBook`` decides, and one writes what came of it.
///
/// What several messages of one transaction cause is best collected (``enqueue(_:in:)``) and posted together right
/// before the commit: accounts are locked in one order within a set, but not between two.
enum Ledger {
    /// Posts now, all or none.
    ///
    /// - Returns: the ids of those posted; the others had been before.
    /// - Throws: ``LedgerError``; nothing was posted then.
    @discardableResult
    static func post(_ transfers: [Transfer], in transaction: PostgresTransaction) async throws -> Set<UUID> {
        guard !transfers.isEmpty else { return [] }
        var locked = try await LockedLedger.lock(for: transfers, [], in: transaction)
        var posted: Set<UUID> = []
        for transfer in transfers where try locked.book.post(transfer) { posted.insert(transfer.id) }
        try await locked.write(in: transaction)
        return posted
    }

    /// Performs commands now, in their order. One that is refused is refused alone.
    /// - Returns: the outcome of each.
    static func perform(
        _ commands: [LedgerCommand], in transaction: PostgresTransaction
    ) async throws -> [LedgerOutcome] {
        guard !commands.isEmpty else { return [] }
        var locked = try await LockedLedger.lock(for: [], commands, in: transaction)
        let outcomes = locked.perform()
        try await locked.write(in: transaction)
        return outcomes
    }

    /// Posts with the commit, together with all others of the transaction. For transfers that cannot be refused: out
    /// of escrow, or from the payment provider. One that is refused all the same undoes the transaction.
    static func enqueue(_ transfer: Transfer, in transaction: PostgresTransaction) {
        LedgerBuffer.of(transaction).transfers.append(transfer)
    }

    /// Performs a command with the commit, together with all others of the transaction.
    /// - Parameter reply: tells of the outcome; called before the commit, when all of the set is written.
    static func enqueue(
        _ command: LedgerCommand, in transaction: PostgresTransaction, reply: @escaping LedgerBuffer.Reply
    ) {
        LedgerBuffer.of(transaction).commands.append((command, reply))
    }
}

/// Collects a transaction's transfers and commands.
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
        // Replies see what was written: a hold may be placed and end in one set.
        try await locked.write(in: transaction)
        for ((_, reply), outcome) in zip(commands, outcomes) { try reply(outcome, transaction) }
    }

    /// What the transfers that wait for the commit bring to an account; below zero what they take from it.
    func change(of account: AccountReference) -> Int {
        transfers.flatMap(\.moves).reduce(0) { sum, move in
            sum + (move.to == account ? move.amount : 0) - (move.from == account ? move.amount : 0)
        }
    }
}
