import Foundation
import Postgres

/// Marks roles that the account has lost as not verified and returns their markets. The offerings stay for a return.
struct CloseLostRoles: Statement {
    static let sql: SQL = """
        UPDATE provider_roles SET verified = false, available = false, available_at = NULL, lost_at = $3
        WHERE account = $1 AND market <> ALL ($2) AND (lost_at IS NULL OR verified) RETURNING market
        """
    let account: UUID
    /// The markets where the account still is a provider.
    let markets: [String]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, markets, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Finds the accounts among these that were providers of a market and no longer are.
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
