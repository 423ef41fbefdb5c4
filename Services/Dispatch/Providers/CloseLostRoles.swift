import Contracts
import Foundation
import Postgres

/// Marks roles that the account has lost as not verified and returns their markets. The offerings stay for a return.
struct CloseLostRoles: Statement {
    static let sql: SQL = """
        UPDATE provider_roles SET verified = false, available = false, available_at = NULL, lost_at = $4
        WHERE account = $1 AND (lost_at IS NULL OR verified) AND NOT EXISTS (
            SELECT FROM unnest($2::text[], $3::boolean[]) AS kept (market, sells)
            WHERE kept.market = provider_roles.market AND kept.sells = provider_roles.sells)
        RETURNING market
        """
    let account: UUID
    /// The roles as a provider that the account still has.
    let kept: [AccountSnapshot.Role]
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(columnsOf: kept, \.market, { $0.title == Restaurant.title })
        bindings.append(now)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Finds the accounts among these that were providers of a market and no longer are: for the work, or with a restaurant.
struct FindLostProviders: Statement {
    static let sql: SQL = """
        SELECT account, sells FROM provider_roles
        WHERE account = ANY ($1::uuid[]) AND market = $2 AND lost_at IS NOT NULL AND NOT verified
        """
    struct Row: Sendable {
        let account: UUID
        let sells: Bool
    }

    let accounts: [UUID]
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(accounts, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), sells: try row.next())
    }
}
