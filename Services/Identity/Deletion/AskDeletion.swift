import Contracts
import Foundation
import Messaging
import Postgres

/// Begins the deletion of an account (I12): dispatch and wallet are asked what is open, and start nothing new for the
/// account in the meantime. ``DecideDeletionOfAccount`` decides.
struct AskDeletion: Sendable {
    /// - Returns: the deletion; a running one is returned as it is.
    /// - Throws: ``IdentityError/noSuchAccount``, ``IdentityError/deletionRefused(_:orders:)`` for an admin's account.
    func callAsFunction(
        _ id: UUID, by word: Deletion.Word, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Deletion {
        try await callAsFunction(
            try await Accounts.lockConfirmed(id, in: transaction), by: word, at: now, in: transaction)
    }

    /// - Parameter account: locked by the caller.
    func callAsFunction(
        _ account: Account, by word: Deletion.Word, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Deletion {
        guard !account.isStaff else {
            throw IdentityError.deletionRefused([Deletion.adminObstacle], orders: [])
        }
        if let last = try await transaction.first(FindLastDeletion(account: account.id)), last.state == .asked {
            return last.deletion([])
        }
        var account = account
        account.beginsToLeave()
        let deletion = Deletion(
            id: .timeOrdered(), account: account.id, version: account.version, word: word, askedAt: now)
        transaction.send(UpdateAccount(account: account))
        transaction.send(InsertDeletion(deletion: deletion))
        transaction.set(
            Deadline(
                kind: DecideDeletionOfAccount.deadline, subject: deletion.id.text,
                dueAt: now.addingTimeInterval(Deletion.patienceSeconds)))
        try transaction.publish(
            DeletionAsked(deletion: deletion.id, account: account.id, version: deletion.version, at: now))
        return deletion
    }
}
