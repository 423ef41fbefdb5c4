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

/// Accounts that nobody has logged in to or used for so long, and whose owner was not told yet. Locked; those
/// that others hold are left to them.
struct LockAbsent: Statement {
    static let sql: StaticString = """
        SELECT id FROM accounts
        WHERE last_active_on < ($1::timestamptz AT TIME ZONE 'UTC')::date AND logged_in_at < $1
            AND email IS NOT NULL AND confirmed_at IS NOT NULL AND (reminded_at IS NULL OR reminded_at <= logged_in_at)
        ORDER BY last_active_on LIMIT $2 FOR UPDATE SKIP LOCKED
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
