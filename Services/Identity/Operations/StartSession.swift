import Foundation
import Messaging
import Postgres

/// Opens a session for an account whose credentials are right.
struct StartSession: Sendable {
    let tokens: AccessTokens
    let endSessions: EndSessions

    /// - Parameter password: that was checked before the transaction; nil where something else proves who it is.
    /// - Throws: ``IdentityError/wrongCredentials`` when the account has gone or the password was changed in between;
    ///   ``IdentityError/banned(_:)``, ``IdentityError/notConfirmed(by:)``.
    func callAsFunction(
        for id: UUID, password: CheckedPassword?, on device: DeviceName?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> SessionGrant {
        // Locked: what ends all sessions of the account ends this one too, or comes before it and is seen.
        guard let account = try await Accounts.lockIfFound(id, in: transaction) else {
            throw IdentityError.wrongCredentials
        }
        let (hashes, standings) = try await transaction.queryAll(
            FindOwnPassword(account: id), FindStanding(account: id))
        if let password, hashes.first != password.hash { throw IdentityError.wrongCredentials }
        if let ban = account.banEverywhere(at: now) { throw IdentityError.banned(ban) }
        let standing = standings.first
        guard standing?.isConfirmed == true else {
            throw IdentityError.notConfirmed(by: standing?.confirmsBy ?? "")
        }
        try await endSessions.surplus(of: id, at: now, in: transaction)
        transaction.send(TouchActivity(account: id, now: now))
        transaction.send(DeleteInactivity(account: id))
        transaction.send(RecordLogin(account: id, now: now))
        let session = UUID.timeOrdered()
        let token = RefreshToken.generate()
        transaction.send(
            InsertSession(
                session: session, account: id, device: device?.text, createdAt: now,
                expiresAt: SessionRule.expiry(createdAt: now, now: now)))
        transaction.send(InsertRefreshToken(hash: token.hash, session: session, number: 1))
        return SessionGrant(
            account: account, accessToken: try await tokens.issue(to: account, session: session, at: now),
            expiresInSeconds: tokens.lifetimeSeconds, refreshToken: token.text,
            passwordIsOld: standing?.passwordChangedAt.map {
                now.timeIntervalSince($0) > ProofRule.passwordAgeSeconds
            } ?? false)
    }
}
