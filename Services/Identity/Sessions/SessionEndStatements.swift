import Foundation
import Postgres

/// Ends one session of an account, unless it has ended.
struct EndOneSession: Statement {
    static let sql: SQL = """
        UPDATE sessions SET ended_at = $3, ended_by = $4 WHERE id = $1 AND account = $2 AND ended_at IS NULL
        RETURNING id
        """
    let session: UUID
    let account: UUID
    let now: Date
    let cause: String

    func bind(_ bindings: inout Bindings) { bindings.append(session, account, now, cause) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Finds a session of the account, running or ended.
struct FindSession: Statement {
    static let sql: SQL = "SELECT id FROM sessions WHERE id = $1 AND account = $2"
    let session: UUID
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(session, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Finds a running session.
struct FindRunningSession: Statement {
    static let sql: SQL = "SELECT id FROM sessions WHERE id = $1 AND account = $2 AND ended_at IS NULL"
    let session: UUID
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(session, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Ends all running sessions of an account except one.
struct EndAllSessions: Statement {
    static let sql: SQL = """
        UPDATE sessions SET ended_at = $3, ended_by = $4
        WHERE account = $1 AND id IS DISTINCT FROM $2 AND ended_at IS NULL
        RETURNING id
        """
    let account: UUID
    let kept: UUID?
    let now: Date
    let cause: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, kept, now, cause) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Ends the running sessions of an account except the most recently used ones.
struct EndSurplusSessions: Statement {
    static let sql: SQL = """
        UPDATE sessions SET ended_at = $3, ended_by = $4 WHERE id IN (
            SELECT id FROM sessions WHERE account = $1 AND ended_at IS NULL
            ORDER BY coalesce(used_at, created_at) DESC, id DESC OFFSET $2)
        RETURNING id
        """
    let account: UUID
    let keep: Int
    let now: Date
    let cause: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, keep, now, cause) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The running sessions of an account, most recently used first.
struct ListSessions: Statement {
    static let sql: SQL = """
        SELECT id, device, created_at, coalesce(used_at, created_at), expires_at FROM sessions
        WHERE account = $1 AND ended_at IS NULL AND expires_at > $2
        ORDER BY coalesce(used_at, created_at) DESC, id DESC LIMIT $3
        """
    let account: UUID
    let now: Date
    let limit: Int

    struct Row: Sendable {
        let session: UUID
        let device: String?
        let createdAt: Date
        let usedAt: Date
        let expiresAt: Date
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, now, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            session: try row.next(), device: try row.next(), createdAt: try row.next(), usedAt: try row.next(),
            expiresAt: try row.next())
    }
}
