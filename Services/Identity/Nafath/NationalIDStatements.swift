import Foundation
import Postgres

/// Makes everything about one national id come one after the other, until the commit. Taken before any account is locked.
struct LockNationalID: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('national id ' || encode($1, 'hex'), 0))"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
}

/// Whose it is.
struct FindByNationalID: Statement {
    static let sql: SQL = "SELECT account FROM national_ids WHERE hash = $1"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The hash of the one that the account has.
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
    /// Of the number that Nafath tells.
    let mobileHash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, hash, now, mobileHash) }
}

/// Takes down which number Nafath tells. No row when it is the one of before.
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

/// An account that was never asked for an e-mail address and a password.
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

/// Whether anybody has a way into the account, or has shown that he reads its mail or its SMS. One that an admin has made
/// is nobody's before its owner sets a password or signs in with Nafath.
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
