import Foundation
import Postgres

/// Removes sessions that have ended or expired, with their tokens: none of them is worth anything.
struct PurgeSessions: Statement {
    static let sql: SQL = """
        DELETE FROM sessions WHERE id IN (
            SELECT id FROM sessions WHERE ended_at < $1 OR expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Removes tokens of running sessions that were replaced long ago. One that is used after that is refused as any unknown
/// one, and no longer ends its session.
struct PurgeRefreshTokens: Statement {
    static let sql: SQL = """
        DELETE FROM refresh_tokens WHERE hash IN (
            SELECT hash FROM refresh_tokens WHERE replaced_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
