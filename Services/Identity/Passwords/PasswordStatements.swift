import Foundation
import Postgres

struct InsertPassword: Statement {
    static let sql: SQL = "INSERT INTO passwords (account, hash, changed_at) VALUES ($1, $2, $3)"
    let account: UUID
    let hash: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash, now) }
}

/// The account with an e-mail address or mobile number, and the hash of its password. Of several accounts that have the
/// contact unproved, the first registered one.
struct FindPassword: Statement, Equatable {
    static let sql: SQL = """
        SELECT a.id, p.hash FROM accounts a LEFT JOIN passwords p ON p.account = a.id
        WHERE a.email_hash = $1 OR a.mobile_hash = $2 OR a.mobile_hash = $3
        ORDER BY coalesce(a.mobile_hash = $3, false), (CASE WHEN $1::bytea IS NULL THEN a.mobile_proved_at ELSE a.email_proved_at END) IS NULL,
            a.confirmed_at IS NULL, a.registered_at, a.id
        LIMIT 1
        """
    /// One of the two is nil.
    let emailHash: [UInt8]?
    let mobileHash: [UInt8]?
    /// The hash of the number's former form (``MobileNumber/former``); an account with the current form comes first.
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

/// Stores another hash of the same password, unless the password was changed in the meantime.
struct RenewHash: Statement {
    static let sql: SQL = "UPDATE passwords SET hash = $3 WHERE account = $1 AND hash = $2"
    let account: UUID
    let old: String
    let new: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, old, new) }
}
