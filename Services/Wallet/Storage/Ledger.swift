import Foundation
import Postgres

/// Posts transfers. Three statements in one round trip, however many transfers there are.
///
/// A transaction posts once: it locks accounts in one order, and a second set would break that. What several messages
/// of one transaction cause is therefore collected (``enqueue(_:in:)``) and posted together right before the commit.
enum Ledger {
    /// The constraint that a debit below the floor violates.
    static let floorConstraint = "entries_above_floor"

    /// Posts now.
    ///
    /// - Returns: the ids of those posted; the others had been before.
    /// - Throws: ``LedgerError/insufficientFunds``; the transaction is over then.
    @discardableResult
    static func post(_ transfers: [Transfer], in transaction: PostgresTransaction) async throws -> Set<UUID> {
        guard !transfers.isEmpty else { return [] }
        let accounts = PostingAccounts(transfers)
        transaction.send(OpenAccounts(accounts: accounts))
        transaction.send(LockAccounts(accounts: accounts))
        do {
            return Set(try await transaction.query(PostTransfers(accounts: accounts, transfers: transfers)))
        } catch  where error.constraint == floorConstraint {
            throw LedgerError.insufficientFunds
        }
    }

    /// Posts with the commit, together with all others of the transaction. For transfers that cannot be refused: out
    /// of escrow, or from the payment provider.
    static func enqueue(_ transfer: Transfer, in transaction: PostgresTransaction) {
        transaction.participant(LedgerBuffer.self) { LedgerBuffer() }.transfers.append(transfer)
    }
}

/// Collects a transaction's transfers.
final class LedgerBuffer: CommitParticipant {
    var transfers: [Transfer] = []

    func willCommit(_ transaction: PostgresTransaction) {
        guard !transfers.isEmpty else { return }
        let accounts = PostingAccounts(transfers)
        transaction.send(OpenAccounts(accounts: accounts))
        transaction.send(LockAccounts(accounts: accounts))
        transaction.send(PostTransfers(accounts: accounts, transfers: transfers))
    }
}
