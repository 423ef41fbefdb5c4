import Foundation
import Postgres

struct InsertPassword: Statement {
    static let sql: SQL = "INSERT INTO passwords (account, hash, changed_at) VALUES ($1, $2, $3)"
    let account: UUID
    let hash: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash, now) }
}

/// Whose e-mail address or mobile number it is, and the hash of the password. Of several who have it and have not proved it
/// the one who was first.
struct FindPassword: Statement, Equatable {
    static let sql: SQL = """
        SELECT a.id, p.hash FROM accounts a LEFT JOIN passwords p ON p.account = a.id
        WHERE a.email_hash = $1 OR a.mobile_hash = $2 OR a.mobile_hash = $3
        ORDER BY coalesce(a.mobile_hash = $3, false), (CASE WHEN $1::bytea IS NULL THEN a.mobile_proved_at ELSE a.email_proved_at END) IS NULL,
            a.confirmed_at IS NULL, a.registered_at, a.id
        LIMIT 1
        """
    /// One of both is nil.
    let emailHash: [UInt8]?
    let mobileHash: [UInt8]?
    /// Of the same number as it was kept before (``MobileNumber/former``); whoever has the number itself comes first.
    var formerMobileHash: [UInt8]?

    struct Row: Sendable {
        let account: UUID
        let hash: String?
    }

    func bind(_ bindings: inout Bindings) { bindings.append(emailHash, mobileHash, formerMobileHash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), hash: try row.next())
    }
}

/// The same password with another hash, unless it was changed meanwhile.
struct RenewHash: Statement {
    static let sql: SQL = "UPDATE passwords SET hash = $3 WHERE account = $1 AND hash = $2"
    let account: UUID
    let old: String
    let new: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, old, new) }
}
