import Foundation
import Postgres

/// Roles that the account does not have any more count as not verified; what they offered is kept for a return. The
/// markets of those that it had until now.
struct CloseLostRoles: Statement {
    static let sql: SQL = """
        UPDATE provider_roles SET verified = false, available = false, available_at = NULL, lost_at = $3
        WHERE account = $1 AND market <> ALL ($2) AND (lost_at IS NULL OR verified) RETURNING market
        """
    let account: UUID
    /// Where the account is a provider.
    let markets: [String]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, markets, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Which of these were providers of a market and are so no more.
struct FindLostProviders: Statement {
    static let sql: SQL = """
        SELECT account FROM provider_roles
        WHERE account = ANY ($1::uuid[]) AND market = $2 AND lost_at IS NOT NULL AND NOT verified
        """
    let accounts: [UUID]
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(accounts, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
