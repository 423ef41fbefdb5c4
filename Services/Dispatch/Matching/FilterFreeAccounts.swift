import Foundation
import Postgres

/// Filters providers who are free in the market, with their titles and vehicles.
struct FilterFreeAccounts: Statement {
    struct Row: Sendable {
        let account: UUID
        let title: String?
        let vehicle: String?
    }

    static let sql: SQL = """
        SELECT role.account, role.title, role.vehicle FROM unnest($2::uuid[]) AS asked (account)
        JOIN provider_roles AS role ON role.market = $1 AND role.account = asked.account AND NOT role.sells
            AND role.verified AND role.available
        JOIN providers AS provider ON provider.account = role.account AND provider.current_order IS NULL
        WHERE NOT $3 OR EXISTS (
            SELECT FROM provider_subscriptions AS subscription
            WHERE subscription.market = $1 AND subscription.account = role.account AND subscription.ends_at > now())
        """
    let market: String
    let accounts: [UUID]
    /// Whether only subscribed providers count.
    let needsSubscription: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(market, accounts, needsSubscription) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), title: try row.next(), vehicle: try row.next())
    }
}
