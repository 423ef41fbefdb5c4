import Foundation
import Postgres

/// The account has been logged in to.
struct RecordLogin: Statement {
    static let sql: StaticString = "UPDATE accounts SET logged_in_at = greatest(logged_in_at, $2) WHERE id = $1"
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(now)
    }
}

/// Accounts that nobody has logged in to for so long, that no session uses, and whose owner was not told yet. Locked; those
/// that others hold are left to them.
struct LockAbsent: Statement {
    static let sql: StaticString = """
        SELECT a.id FROM accounts a
        WHERE a.logged_in_at < $1 AND a.email IS NOT NULL AND a.confirmed_at IS NOT NULL
            AND (a.reminded_at IS NULL OR a.reminded_at <= a.logged_in_at)
            AND NOT EXISTS (
                SELECT FROM sessions s
                WHERE s.account = a.id AND s.ended_at IS NULL AND coalesce(s.used_at, s.created_at) >= $1)
        ORDER BY a.logged_in_at LIMIT $2 FOR UPDATE SKIP LOCKED
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(before)
        bindings.append(limit)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct RecordReminder: Statement {
    static let sql: StaticString = "UPDATE accounts SET reminded_at = $2 WHERE id = $1"
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(now)
    }
}
