import Contracts
import Foundation
import Messaging
import Postgres

/// Collects the answers about an account that is to be deleted, and refuses or grants the deletion (I12).
///
/// A granted deletion removes the account's row and all rows that refer to it, and tells other services. The bare
/// account id stays, and keyed hashes for bans that hold, by which a returning person is recognized.
struct DecideDeletionOfAccount: Sendable {
    /// The deadline for the answers of all services.
    static let deadline = "identity.deletion-unanswered"
    /// The last mail is dropped when it is not sent within this time.
    static let mailSeconds: Double = 7 * 86_400

    let endSessions: EndSessions
    let deliver: RequestDelivery

    /// Stores a service's answer, and decides when it is the last one.
    func hear(
        _ answer: Deletion.Answer, from service: Deletion.Service, on id: UUID, of account: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let account = try await Accounts.lockIfFound(account, in: transaction),
            var deletion = try await find(id, in: transaction), deletion.account == account.id
        else { return }
        let isDecided = deletion.hear(
            answer, from: service, staysFor: account.isStaff ? Deletion.adminObstacle : nil)
        // The stored answer may have one obstacle more: that the account is an admin's now.
        if let counted = deletion.answers[service] {
            transaction.send(PutDeletionAnswer(deletion: id, service: service, answer: counted))
        }
        guard isDecided else { return }
        try await end(deletion, account, at: now, in: transaction)
    }

    /// Handles the deadline: refuses the deletion when answers are missing.
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
            // For the audit log. A deletion asked for by the owner is no admin's act.
            if let admin {
                try transaction.publish(
                    AccountManaged(
                        account: account.id, market: admin.market, act: .removalRefused, by: admin.id, at: now))
            }
            try transaction.publish(
                DeletionRefused(
                    deletion: deletion.id, account: account.id, version: deletion.version,
                    obstacles: deletion.obstacles.compactMap(DeletionObstacle.init), orders: deletion.orders,
                    owed: deletion.owed.map { Money(amount: $0.amount, currency: $0.currency) }, at: now))
            return
        }
        var account = account
        account.beginsToLeave()
        try await deliver(
            .accountDeleted, to: account, until: now.addingTimeInterval(Self.mailSeconds), at: now, in: transaction)
        try await endSessions.all(of: account.id, cause: .deletion, at: now, in: transaction)
        try await ChangeLinks.tellAllRemoved(of: account.id, at: now, in: transaction)
        try await ChangeGroups.leaveAll(account.id, at: now, in: transaction)
        transaction.send(DeleteGroupRefusals(account: account.id))
        transaction.send(InsertKeptBans(account: account.id, now: now))
        transaction.send(DeleteAccount(account: account.id))
        try transaction.publish(
            AccountDeleted(
                account: account.id, version: account.version, by: admin?.id, market: admin?.market, at: now))
    }
}
