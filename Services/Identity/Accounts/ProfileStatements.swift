import Foundation
import Postgres

/// Data that only the owner sees, beside contact and roles.
struct FindProfileParts: Statement {
    static let sql: SQL = "SELECT birth_date, active_market, active_role, active_title FROM accounts WHERE id = $1"
    let account: UUID

    struct Row: Sendable {
        let birthDate: [UInt8]?
        let activeMarket: String?
        let activeRole: String?
        let activeTitle: String?
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            birthDate: try row.next(), activeMarket: try row.next(), activeRole: try row.next(),
            activeTitle: try row.next())
    }
}

struct SetBirthDate: Statement {
    static let sql: SQL = "UPDATE accounts SET birth_date = $2 WHERE id = $1"
    let account: UUID
    let sealed: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed) }
}

struct SetActiveRole: Statement {
    static let sql: SQL = "UPDATE accounts SET active_market = $2, active_role = $3, active_title = $4 WHERE id = $1"
    let account: UUID
    let market: String
    let role: Role.Kind
    /// A provider's title; nil where there is none to choose.
    let title: String?

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, role.rawValue, title) }
}

struct PutAcceptedTerms: Statement {
    static let sql: SQL = """
        INSERT INTO accepted_terms (account, market, version, accepted_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING
        """
    let account: UUID
    let market: String
    let version: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, version, now) }
}

/// Stores the details that were typed in for a role.
struct PutRoleDetails: Statement {
    /// The sealed value is bound to the row's id, so a new value gets a new id.
    static let sql: SQL = """
        INSERT INTO role_details (id, account, market, role, sealed, changed_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (account, market, role) DO UPDATE SET
            id = excluded.id, sealed = excluded.sealed, changed_at = excluded.changed_at
        """
    let id: UUID
    let account: UUID
    let market: String
    let role: Role.Kind
    let sealed: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(id, account, market, role.rawValue, sealed, now) }
}

struct FindRoleDetails: Statement {
    static let sql: SQL = """
        SELECT id, sealed FROM role_details WHERE account = $1 AND market = $2 AND role = $3
        """
    let account: UUID
    let market: String
    let role: Role.Kind

    struct Row: Sendable {
        let id: UUID
        let sealed: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, role.rawValue) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(id: try row.next(), sealed: try row.next())
    }
}
