import Foundation
import Postgres

/// Takes an advisory lock until the commit, so that all operations on one national id run one after the other. Must be
/// taken before any account is locked.
struct LockNationalID: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('national id ' || encode($1, 'hex'), 0))"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
}

/// The account that has the national id.
struct FindByNationalID: Statement {
    static let sql: SQL = "SELECT account FROM national_ids WHERE hash = $1"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The hash of the account's national id.
struct FindNationalID: Statement {
    static let sql: SQL = "SELECT hash FROM national_ids WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> [UInt8] { try row.next() }
}

struct InsertNationalID: Statement {
    static let sql: SQL = """
        INSERT INTO national_ids (account, sealed, hash, linked_at, mobile_hash) VALUES ($1, $2, $3, $4, $5)
        """
    let account: UUID
    let sealed: [UInt8]
    let hash: [UInt8]
    let now: Date
    /// The hash of the number that Nafath reports.
    let mobileHash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, hash, now, mobileHash) }
}

/// Stores the number that Nafath reports. No row when it is the same as before.
struct TellNafathMobile: Statement {
    static let sql: SQL = """
        UPDATE national_ids SET mobile_hash = $2 WHERE account = $1 AND mobile_hash IS DISTINCT FROM $2 RETURNING account
        """
    let account: UUID
    let hash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct DeleteNationalID: Statement {
    static let sql: SQL = "DELETE FROM national_ids WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Inserts an account without e-mail address and password.
struct InsertNafathAccount: Statement {
    static let sql: SQL = """
        INSERT INTO accounts
            (id, version, name, gender, language, mobile, mobile_hash, registered_at, confirmed_at, mobile_proved_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
        """
    let account: Account
    let mobile: [UInt8]
    let mobileHash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            account.id, account.version, account.name.text, account.gender?.rawValue, account.language.rawValue, mobile,
            mobileHash, now)
    }
}

/// Whether the account has an owner: a person who can log in to it, or has proved its address or number. An account
/// that an admin made has none until its owner sets a password or signs in with Nafath.
struct FindOwnership: Statement {
    static let sql: SQL = """
        SELECT p.account IS NOT NULL,
            p.account IS NOT NULL OR a.email_proved_at IS NOT NULL OR a.mobile_proved_at IS NOT NULL
                OR EXISTS (SELECT FROM national_ids WHERE account = a.id)
        FROM accounts a LEFT JOIN passwords p ON p.account = a.id WHERE a.id = $1
        """
    let account: UUID

    struct Row: Sendable {
        let hasPassword: Bool
        let isSomebodys: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(hasPassword: try row.next(), isSomebodys: try row.next())
    }
}
