import Foundation
import Messaging
import Postgres

/// Opens a session for an account whose credentials are right.
struct StartSession: Sendable {
    let tokens: AccessTokens

    /// - Throws: ``IdentityError/wrongCredentials`` when the account has gone in between.
    func callAsFunction(
        for id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> SessionGrant {
        guard let account = try await Accounts.find(id, in: transaction) else { throw IdentityError.wrongCredentials }
        let session = UUID.timeOrdered()
        let token = RefreshToken.generate()
        transaction.send(
            InsertSession(
                session: session, account: id, createdAt: now,
                expiresAt: SessionRule.expiry(createdAt: now, now: now)))
        transaction.send(InsertRefreshToken(hash: token.hash, session: session, number: 1))
        return SessionGrant(
            account: account, accessToken: try await tokens.issue(to: account, session: session, at: now),
            expiresInSeconds: tokens.lifetimeSeconds, refreshToken: token.text)
    }
}
