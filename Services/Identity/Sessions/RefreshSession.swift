import Contracts
import Foundation
import Postgres

/// Exchanges a refresh token for new tokens (I15). Roles are read again, so changes by admins take effect here, and
/// so do terms that were accepted, or that have another version by now.
///
/// A token used a second time ends the session, because one of its two users has stolen it. One exception exists for
/// phones that lost an answer: for ten seconds after it was replaced, and while the successor is unused, the same
/// successor is returned.
struct RefreshSession: Sendable {
    let pool: PostgresPool
    let tokens: AccessTokens
    let endSessions: EndSessions
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// - Throws: ``IdentityError/sessionEnded``, whatever the reason.
    func callAsFunction(_ token: RefreshToken, at now: Date) async throws -> SessionGrant {
        // The end of a session must be committed, so the transaction returns nil instead of throwing.
        let grant = try await pool.withTransaction { transaction in
            try await refresh(token, at: now, in: transaction)
        }
        guard let grant else { throw IdentityError.sessionEnded }
        // In another transaction, because the account's row must be locked before its sessions.
        try await pool.execute(TouchActivity(account: grant.account.id, now: now))
        return grant
    }

    private func refresh(
        _ token: RefreshToken, at now: Date, in transaction: PostgresTransaction
    ) async throws -> SessionGrant? {
        guard let row = try await transaction.first(LockRefreshToken(hash: token.hash)) else { return nil }
        let next: RefreshToken
        switch SessionRule.refresh(row.token, at: now) {
        case .ended: return nil
        case .reused:
            try await endSessions.one(row.session, of: row.account, cause: .reuse, at: now, in: transaction)
            return nil
        case .repeatSuccessor:
            guard let sealed = row.successor else { return nil }
            next = try token.open(successor: sealed)
        case .rotate:
            next = .generate()
            let number = row.token.number + 1
            transaction.send(
                ReplaceRefreshToken(hash: token.hash, now: now, successor: try token.seal(successor: next)))
            transaction.send(InsertRefreshToken(hash: next.hash, session: row.session, number: number))
            transaction.send(
                ProlongSession(
                    session: row.session, newest: number, now: now,
                    expiresAt: SessionRule.expiry(createdAt: row.createdAt, now: now)))
        }
        guard let account = try await Accounts.find(row.account, in: transaction),
            account.banEverywhere(at: now) == nil
        else { return nil }
        let accepted = try await transaction.query(ListAcceptedTerms(account: account.id))
        let asked = AskedTerms.of(account, accepted: accepted, onboarding)
        return SessionGrant(
            account: account,
            accessToken: try await tokens.issue(
                to: account, session: row.session, isStrong: row.isStrong,
                terms: AskedTerms.enforced(asked, onboarding), at: now),
            expiresInSeconds: tokens.lifetimeSeconds, refreshToken: next.text,
            needsSecondFactor: !tokens.givesRights(to: account, isStrong: row.isStrong), termsAsked: asked)
    }
}
