import Foundation
import Postgres

/// Finds an account that may take orders of an order's market: a verified provider who is not banned there.
struct FindTaker: Statement {
    struct Row: Sendable {
        let name: String
        let isSubscribed: Bool
        /// As a provider of the market.
        let standing: OrderDetails.Standing
    }

    static let sql: SQL = """
        SELECT people.name, EXISTS (
            SELECT FROM provider_subscriptions AS subscription
            WHERE subscription.market = orders.market AND subscription.account = $2 AND subscription.ends_at > now()),
            coalesce(sums.stars, 0), coalesce(sums.count, 0)
        FROM orders
        JOIN provider_roles AS role ON role.market = orders.market AND role.account = $2 AND NOT role.sells
            AND role.verified            AND NOT is_banned($2, orders.market)
        JOIN people ON people.account = $2
        LEFT JOIN rating_sums AS sums
            ON sums.market = orders.market AND sums.account = $2 AND sums.role = 'provider'
        WHERE orders.id = $1
        """
    let order: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            name: try row.next(), isSubscribed: try row.next(),
            standing: OrderDetails.Standing(stars: try row.next(), count: try row.next()))
    }
}
