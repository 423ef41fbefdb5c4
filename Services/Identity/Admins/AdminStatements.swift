import Foundation
import Postgres

/// Deletes the right of an admin or of support.
struct DeleteRank: Statement {
    static let sql: SQL = "DELETE FROM roles WHERE account = $1 AND market = $2 AND role = $3"
    let account: UUID
    let rank: Role

    func bind(_ bindings: inout Bindings) { bindings.append(account, rank.market, rank.kind.rawValue) }
}

/// Locks the roles of all master admins, and one admin's role in a market, always in the same order.
struct LockAdmins: Statement {
    static let sql: SQL = """
        SELECT account FROM roles
        WHERE role = 'admin' AND (market = '*' OR market = $1 AND account = $2)
        ORDER BY market, account FOR UPDATE
        """
    let market: String
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// An admin, or a person of support, as shown to a master admin.
struct AdminRow: Sendable {
    let account: UUID
    let name: String
    let rank: String
    let since: Date

    init(_ row: inout RowReader) throws(PostgresError) {
        account = try row.next()
        name = try row.next()
        rank = try row.next()
        since = try row.next()
    }
}

/// The admins and the support of a market, oldest first.
struct ListAdmins: Statement {
    static let sql: SQL = """
        SELECT r.account, a.name, r.role, r.requested_at FROM roles r JOIN accounts a ON a.id = r.account
        WHERE r.role IN ('admin', 'support') AND r.market = $1 AND a.confirmed_at IS NOT NULL
            AND (r.requested_at, r.account) > ($2, $3)
        ORDER BY r.requested_at, r.account LIMIT $4
        """
    let market: String
    let after: TimePosition
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(market, after.time, after.id, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> AdminRow { try AdminRow(&row) }
}
