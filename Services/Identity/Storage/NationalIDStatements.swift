import Foundation
import Postgres

/// Makes everything about one national id come one after the other, until the commit. Taken before any account is locked.
struct LockNationalID: Statement {
    static let sql: StaticString =
        "SELECT pg_advisory_xact_lock(hashtextextended('national id ' || encode($1, 'hex'), 0))"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
}

/// Whose it is.
struct FindByNationalID: Statement {
    static let sql: StaticString = "SELECT account FROM national_ids WHERE hash = $1"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The hash of the one that the account has.
struct FindNationalID: Statement {
    static let sql: StaticString = "SELECT hash FROM national_ids WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> [UInt8] { try row.next() }
}

struct InsertNationalID: Statement {
    static let sql: StaticString = "INSERT INTO national_ids (account, sealed, hash, linked_at) VALUES ($1, $2, $3, $4)"
    let account: UUID
    let sealed: [UInt8]
    let hash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(sealed)
        bindings.append(hash)
        bindings.append(now)
    }
}

struct DeleteNationalID: Statement {
    static let sql: StaticString = "DELETE FROM national_ids WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// An account that was never asked for an e-mail address and a password.
struct InsertNafathAccount: Statement {
    static let sql: StaticString = """
        INSERT INTO accounts
            (id, version, name, gender, language, mobile, mobile_hash, registered_at, confirmed_at, mobile_proved_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
        """
    let account: Account
    let mobile: [UInt8]
    let mobileHash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account.id)
        bindings.append(account.version)
        bindings.append(account.name.text)
        bindings.append(account.gender?.rawValue)
        bindings.append(account.language.rawValue)
        bindings.append(mobile)
        bindings.append(mobileHash)
        bindings.append(now)
    }
}

/// Whether it has a password, and whether somebody has shown that he reads the account's mail.
struct FindOwnership: Statement {
    static let sql: StaticString = """
        SELECT p.account IS NOT NULL, a.email_proved_at IS NOT NULL
        FROM accounts a LEFT JOIN passwords p ON p.account = a.id WHERE a.id = $1
        """
    let account: UUID

    struct Row: Sendable {
        let hasPassword: Bool
        let emailIsProved: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(hasPassword: try row.next(), emailIsProved: try row.next())
    }
}

struct DeletePassword: Statement {
    static let sql: StaticString = "DELETE FROM passwords WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
