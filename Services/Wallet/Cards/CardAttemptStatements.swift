import Foundation
import Postgres

/// Serializes the card attempts of an account until the transaction ends.
struct LockCardAttempts: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('wallet.card-attempts:' || $1::text, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Finds the seconds until the account may try cards again. No row means that it may now.
struct FindCardPause: Statement {
    static let sql: SQL = """
        SELECT greatest(1, ceil(extract(epoch FROM until - now())))::bigint FROM card_attempts
        WHERE account = $1 AND (kind = 'added') = $2 AND until > now()
        ORDER BY until DESC OFFSET $3 - 1 LIMIT 1
        """
    let account: UUID
    /// Whether to count added cards; otherwise charges.
    let isAdding: Bool
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, isAdding, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct SetCardAttempt: Statement {
    static let sql: SQL = """
        INSERT INTO card_attempts (id, account, kind, until) VALUES ($1, $2, $3, now() + $4 * interval '1 second')
        ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, until = excluded.until
        """
    let id: UUID
    let account: UUID
    let kind: CardAttempts.Kind
    func bind(_ bindings: inout Bindings) { bindings.append(id, account, kind.rawValue, kind.seconds) }
}

/// Deletes an attempt that does not count, because it had no result or was not refused.
struct DeleteCardAttempt: Statement {
    static let sql: SQL = "DELETE FROM card_attempts WHERE id = $1"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
}

struct DeleteCardAttempts: Statement {
    static let sql: SQL = "DELETE FROM card_attempts WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct PurgeCardAttempts: Statement {
    static let sql: SQL = """
        DELETE FROM card_attempts
        WHERE id IN (SELECT id FROM card_attempts WHERE until < now() ORDER BY until LIMIT 1000)
        """
}
