import Contracts
import Foundation
import Messaging
import Postgres

/// Hears what is open of an account that is to be deleted, and refuses or grants it (I12).
///
/// Granted, the account's row goes and everything that refers to it; others are told. What stays is an id that belongs to
/// nobody, and of bans that hold keyed hashes, by which whoever comes back is known.
struct DecideDeletionOfAccount: Sendable {
    /// Fires when not everybody has answered.
    static let deadline = "identity.deletion-unanswered"
    /// The last mail is of use for so long.
    static let mailSeconds: Double = 7 * 86_400

    let endSessions: EndSessions
    let deliver: RequestDelivery

    /// What is open, in the words of the service that was asked.
    func hear(
        _ answer: Deletion.Answer, from service: Deletion.Service, on id: UUID, of account: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let account = try await Accounts.lockIfFound(account, in: transaction),
            var deletion = try await find(id, in: transaction), deletion.account == account.id
        else { return }
        let isDecided = deletion.hear(
            answer, from: service, staysFor: account.isAdmin ? Deletion.adminObstacle : nil)
        // As it was decided: that the account is an admin's is part of the answer then.
        if let counted = deletion.answers[service] {
            transaction.send(PutDeletionAnswer(deletion: id, service: service, answer: counted))
        }
        guard isDecided else { return }
        try await end(deletion, account, at: now, in: transaction)
    }

    /// A deadline: nobody has decided by now.
    func giveUp(_ fired: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let id = UUID(uuidString: fired.subject),
            let row = try await transaction.first(FindDeletion(deletion: id)),
            let account = try await Accounts.lockIfFound(row.account, in: transaction),
            var deletion = try await find(id, in: transaction), deletion.giveUp()
        else { return }
        try await end(deletion, account, at: now, in: transaction)
    }

    private func find(_ id: UUID, in transaction: PostgresTransaction) async throws -> Deletion? {
        let (rows, answers) = try await transaction.queryAll(
            FindDeletion(deletion: id), FindDeletionAnswers(deletion: id))
        return rows.first?.deletion(answers)
    }

    private func end(
        _ deletion: Deletion, _ account: Account, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        transaction.send(DecideDeletion(deletion: deletion, now: now))
        transaction.clearDeadline(kind: Self.deadline, subject: deletion.id.text)
        var admin: (id: UUID, market: String)?
        if case .admin(let id, let market) = deletion.word { admin = (id, market) }
        guard deletion.state == .granted else {
            // The owner's own word is nobody's act.
            if let admin {
                try transaction.publish(
                    AccountManaged(
                        account: account.id, market: admin.market, act: .removalRefused, by: admin.id, at: now))
            }
            try transaction.publish(
                DeletionRefused(
                    deletion: deletion.id, account: account.id, version: deletion.version,
                    obstacles: deletion.obstacles.compactMap(DeletionObstacle.init), orders: deletion.orders, at: now))
            return
        }
        var account = account
        account.beginsToLeave()
        try await deliver(
            .accountDeleted, to: account, until: now.addingTimeInterval(Self.mailSeconds), at: now, in: transaction)
        try await endSessions.all(of: account.id, cause: .deletion, at: now, in: transaction)
        try await ChangeLinks.tellAllRemoved(of: account.id, at: now, in: transaction)
        transaction.send(InsertKeptBans(account: account.id, now: now))
        transaction.send(DeleteAccount(account: account.id))
        try transaction.publish(
            AccountDeleted(
                account: account.id, version: account.version, by: admin?.id, market: admin?.market, at: now))
    }
}
