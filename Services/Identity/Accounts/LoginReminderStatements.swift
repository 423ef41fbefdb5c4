import Foundation
import Postgres

/// Records a login, and its day as a day of use.
struct RecordLogin: Statement {
    static let sql: SQL = """
        UPDATE accounts SET logged_in_at = greatest(logged_in_at, $2),
            last_active_on = greatest(last_active_on, ($2::timestamptz AT TIME ZONE 'UTC')::date)
        WHERE id = $1
        """
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

/// Locks accounts that were not logged in to or used since a time and whose owner was not reminded since the last
/// login, with all data that a reminder needs. Skips rows that other transactions have locked.
struct LockAbsent: Statement {
    static let sql: SQL = """
        SELECT id, name, language, email, mobile, wants_mail, wants_sms, EXISTS (
            SELECT FROM bans b WHERE b.account = a.id AND b.market = '*' AND (b.until IS NULL OR b.until > $2))
        FROM accounts a
        WHERE last_active_on < ($1::timestamptz AT TIME ZONE 'UTC')::date AND logged_in_at < $1
            AND (email IS NOT NULL OR mobile IS NOT NULL) AND confirmed_at IS NOT NULL
            AND (reminded_at IS NULL OR reminded_at <= logged_in_at)
        ORDER BY last_active_on LIMIT $3 FOR UPDATE SKIP LOCKED
        """
    let before: Date
    let now: Date
    let limit: Int

    struct Row: Sendable {
        let account: UUID
        let name: String
        let language: String
        let email: [UInt8]?
        let mobile: [UInt8]?
        let wantsMail: Bool
        let wantsSMS: Bool
        /// Whether a ban in every market (`*`) holds.
        let isBanned: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(before, now, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(), name: try row.next(), language: try row.next(), email: try row.next(),
            mobile: try row.next(), wantsMail: try row.next(), wantsSMS: try row.next(), isBanned: try row.next())
    }
}

struct RecordReminders: Statement {
    static let sql: SQL = "UPDATE accounts SET reminded_at = $2 WHERE id = ANY ($1::uuid[])"
    let accounts: [UUID]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(accounts, now) }
}
