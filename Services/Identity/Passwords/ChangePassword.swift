import Foundation
import Postgres
import ServiceKit

/// Sets another password (I3): other sessions end in every service, and a mail tells the owner.
struct ChangePassword: Sendable {
    /// A mail about the change that is not sent within a week is dropped.
    static let mailSeconds: Double = 7 * 86_400
    /// The purposes of links that can set a password.
    static let purposes: [ProofRule.Purpose] = [.password, .invitation]

    let endSessions: EndSessions
    let deliver: RequestDelivery
    let confirmAccount: ConfirmAccount

    /// Changes the password of a logged-in owner, whose session goes on.
    ///
    /// - Parameter old: the old password, checked before the transaction.
    /// - Throws: ``IdentityError/wrongPassword`` and ``IdentityError/sessionEnded`` when the password was changed, or
    ///   the session ended, since the check.
    func callAsFunction(
        _ old: CheckedPassword, to hash: String, keeping session: UUID?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let account = try await Accounts.lock(old.account, in: transaction)
        if let session, try await transaction.first(FindRunningSession(session: session, account: account.id)) == nil {
            throw IdentityError.sessionEnded
        }
        guard try await transaction.first(FindOwnPassword(account: account.id)) == old.hash else {
            throw IdentityError.wrongPassword
        }
        try await change(account, hash, keeping: session, now, transaction)
    }

    /// Checks that the link is valid, before a password is hashed for it.
    ///
    /// - Returns: the link's account.
    /// - Throws: ``IdentityError/proofRefused``.
    func check(link: String, at now: Date) async throws -> UUID {
        let find = FindProof(hash: try SendProof.hash(link: link), purposes: Self.purposes, now: now)
        guard let account = try await confirmAccount.pool.first(find) else { throw IdentityError.proofRefused }
        return account
    }

    /// Sets a password by a link. This also proves the e-mail address, unless the link went by SMS.
    ///
    /// - Throws: ``IdentityError/proofRefused``; ``IdentityError/taken(email:mobile:)``.
    func reset(link: String, hash: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let proof = UseProof(hash: try SendProof.hash(link: link), purposes: Self.purposes, now: now)
        guard let id = try await transaction.first(proof) else { throw IdentityError.proofRefused }
        if try await transaction.first(FindContact(account: id))?.provesByMobileAlone != true {
            try await confirmAccount.takeContact.prove(.email, of: id, at: now, in: transaction)
        }
        let account = try await Accounts.lock(id, in: transaction)
        let standing = try await transaction.first(FindStanding(account: id))
        if standing?.confirmsBy == "email" { try await confirmAccount.confirm(id, at: now, in: transaction) }
        try await change(account, hash, keeping: nil, now, transaction)
    }

    private func change(
        _ account: Account, _ hash: String, keeping session: UUID?, _ now: Date, _ transaction: PostgresTransaction
    ) async throws {
        transaction.send(PutPassword(account: account.id, hash: hash, now: now))
        // Ends links and codes that were sent before this change.
        transaction.send(ExpireProofs(account: account.id, now: now))
        transaction.send(ExpireContactChanges(account: account.id, now: now))
        transaction.send(DeleteLoginChallenges(account: account.id))
        try await endSessions.all(of: account.id, but: session, cause: .password, at: now, in: transaction)
        try await deliver(
            .passwordChanged, to: account, until: now.addingTimeInterval(Self.mailSeconds), at: now, in: transaction)
    }
}
