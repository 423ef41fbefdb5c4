import Foundation
import Postgres

struct InsertSession: Statement {
    static let sql: SQL = """
        INSERT INTO sessions (id, account, device, created_at, expires_at, newest, strong)
        VALUES ($1, $2, $3, $4, $5, 1, $6)
        """
    let session: UUID
    let account: UUID
    let device: String?
    let createdAt: Date
    let expiresAt: Date
    /// Whether more than a password began the session.
    let isStrong: Bool

    func bind(_ bindings: inout Bindings) {
        bindings.append(session, account, device, createdAt, expiresAt, isStrong)
    }
}

struct InsertRefreshToken: Statement {
    static let sql: SQL = "INSERT INTO refresh_tokens (hash, session, number) VALUES ($1, $2, $3)"
    let hash: [UInt8]
    let session: UUID
    let number: Int

    func bind(_ bindings: inout Bindings) { bindings.append(hash, session, number) }
}

/// Locks the token and its session, so that of two refreshes at once the second sees the result of the first.
struct LockRefreshToken: Statement {
    static let sql: SQL = """
        SELECT s.id, s.account, s.created_at, s.expires_at, s.ended_at IS NOT NULL, s.newest,
            t.number, t.replaced_at, t.successor, s.strong
        FROM refresh_tokens t JOIN sessions s ON s.id = t.session WHERE t.hash = $1 FOR UPDATE
        """
    let hash: [UInt8]

    struct Row: Sendable {
        let session: UUID
        let account: UUID
        let createdAt: Date
        let token: SessionRule.Token
        let successor: [UInt8]?
        let isStrong: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(hash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let session = try row.next(UUID.self)
        let account = try row.next(UUID.self)
        let createdAt = try row.next(Date.self)
        let expiresAt = try row.next(Date.self)
        let isEnded = try row.next(Bool.self)
        let newest = try row.next(Int.self)
        let number = try row.next(Int.self)
        let token = SessionRule.Token(
            number: number, newest: newest, replacedAt: try row.next(), sessionEnded: isEnded,
            sessionExpiresAt: expiresAt)
        return Row(
            session: session, account: account, createdAt: createdAt, token: token, successor: try row.next(),
            isStrong: try row.next())
    }
}

struct ReplaceRefreshToken: Statement {
    static let sql: SQL = "UPDATE refresh_tokens SET replaced_at = $2, successor = $3 WHERE hash = $1"
    let hash: [UInt8]
    let now: Date
    let successor: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(hash, now, successor) }
}

struct ProlongSession: Statement {
    static let sql: SQL = "UPDATE sessions SET newest = $2, used_at = $3, expires_at = $4 WHERE id = $1"
    let session: UUID
    let newest: Int
    let now: Date
    let expiresAt: Date

    func bind(_ bindings: inout Bindings) { bindings.append(session, newest, now, expiresAt) }
}
