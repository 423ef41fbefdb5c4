import Foundation
import Postgres

/// Deletes ended and expired sessions with their tokens.
struct PurgeSessions: Statement {
    static let sql: SQL = """
        DELETE FROM sessions WHERE id IN (
            SELECT id FROM sessions WHERE ended_at < $1 OR expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Deletes tokens of running sessions that were replaced long ago. A later use is refused as for any unknown token, and
/// no longer ends the session.
struct PurgeRefreshTokens: Statement {
    static let sql: SQL = """
        DELETE FROM refresh_tokens WHERE hash IN (
            SELECT hash FROM refresh_tokens WHERE replaced_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
