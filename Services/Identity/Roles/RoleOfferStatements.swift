import Foundation
import Postgres

/// Stores an offer in place of the previous one. No row when the previous one is too recent.
struct PutRoleOffer: Statement {
    static let sql: SQL = """
        INSERT INTO role_offers (account, market, role, title, hash, offered_by, offered_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (account, market, role) DO UPDATE SET
            title = excluded.title, hash = excluded.hash, offered_by = excluded.offered_by,
            offered_at = excluded.offered_at, expires_at = excluded.expires_at
        WHERE role_offers.offered_at <= $9 RETURNING account
        """
    let account: UUID
    let role: Role
    let hash: [UInt8]
    let admin: UUID
    let now: Date
    let expiresAt: Date
    /// An offer made after this time is not replaced.
    let before: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, role.market, role.kind.rawValue, role.title, hash, admin, now, expiresAt, before)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Uses a valid offer up: of two requests at once only one gets a row.
struct UseRoleOffer: Statement {
    static let sql: SQL = """
        DELETE FROM role_offers WHERE hash = $1 AND expires_at > $2
        RETURNING account, market, role, title, offered_by
        """
    let hash: [UInt8]
    let now: Date

    struct Row: Sendable {
        let account: UUID
        let market: String
        /// A CHECK constraint of the table allows known kinds only.
        let kind: Role.Kind?
        let title: String?
        let admin: UUID
    }

    func bind(_ bindings: inout Bindings) { bindings.append(hash, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(), market: try row.next(), kind: Role.Kind(rawValue: try row.next()),
            title: try row.next(), admin: try row.next())
    }
}

struct PurgeRoleOffers: Statement {
    static let sql: SQL = """
        DELETE FROM role_offers WHERE (account, market, role) IN (
            SELECT account, market, role FROM role_offers WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
