import Foundation
import Postgres

/// The details that were typed in for an account's roles, encrypted.
struct ListRoleDetails: Statement {
    static let sql: SQL = """
        SELECT id, market, role, sealed FROM role_details WHERE account = $1 ORDER BY market, role
        """
    let account: UUID

    struct Row: Sendable {
        let id: UUID
        let market: String
        let role: String
        let sealed: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(id: try row.next(), market: try row.next(), role: try row.next(), sealed: try row.next())
    }
}

/// The terms that an account has accepted, oldest first.
struct ListAcceptedTerms: Statement {
    static let sql: SQL = """
        SELECT market, version, accepted_at FROM accepted_terms WHERE account = $1 ORDER BY accepted_at, market, version
        """
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> AcceptedTerms {
        AcceptedTerms(market: try row.next(), version: try row.next(), acceptedAt: try row.next())
    }
}

/// The national id that Nafath reported, encrypted.
struct FindSealedNationalID: Statement {
    static let sql: SQL = "SELECT sealed FROM national_ids WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> [UInt8] { try row.next() }
}

/// The place that an account shares now, encrypted.
struct FindOwnSharedPlace: Statement {
    static let sql: SQL = """
        SELECT place, shared_at, expires_at, is_visible FROM shared_places WHERE account = $1 AND expires_at > $2
        """
    let account: UUID
    let now: Date

    struct Row: Sendable {
        let place: [UInt8]
        let sharedAt: Date
        let expiresAt: Date
        let isVisible: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            place: try row.next(), sharedAt: try row.next(), expiresAt: try row.next(), isVisible: try row.next())
    }
}
