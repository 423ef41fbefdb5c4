import Foundation
import Postgres

/// Somebody who would order in a market, as identity and wallet told. Always one row.
struct FindOrderer: Statement {
    struct Row: Sendable {
        /// Nil before identity has told of the account.
        let name: String?
        let isBanned: Bool
        /// A fine was not paid in time.
        let isBlocked: Bool
        /// Whether it has a stored card that can be charged, which not every market asks for.
        let hasMethod: Bool
        let standing: OrderDetails.Standing
    }

    static let sql: SQL = """
        SELECT people.name, is_banned(asked.account, asked.market),
            EXISTS (SELECT FROM blocks WHERE account = asked.account AND market = asked.market AND is_blocked),
            EXISTS (SELECT FROM payment_methods WHERE account = asked.account AND has_method),
            coalesce(sums.stars, 0), coalesce(sums.count, 0)
        FROM (SELECT $1::uuid AS account, $2::text AS market) AS asked
        LEFT JOIN people ON people.account = asked.account
        LEFT JOIN rating_sums AS sums
            ON sums.market = asked.market AND sums.account = asked.account AND sums.role = 'customer'
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            name: try row.next(), isBanned: try row.next(), isBlocked: try row.next(),
            hasMethod: try row.next(),
            standing: OrderDetails.Standing(stars: try row.next(), count: try row.next()))
    }
}

/// Visits that a customer has asked for and that are not paid, nor promised to be in cash.
struct CountWaitingVisits: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM orders
        WHERE customer = $1 AND NOT is_final AND market = $2 AND kind = 'visit' AND state IN ('requested', 'accepted')
        """
    let customer: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(customer, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// How many orders of a customer go on in a market, of whatever kind. By the index of a customer's orders. Visits of a series
/// are not counted: the series is what its customer asked for, and is limited itself.
struct CountOpenOrders: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM orders
        WHERE customer = $1 AND NOT is_final AND market = $2 AND particulars #>> '{homeCare,series}' IS NULL
        """
    let customer: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(customer, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// A provider who can be asked now: known, verified, available, not banned, and without an order.
struct FindFreeProvider: Statement {
    static let sql: SQL = """
        SELECT people.name FROM provider_roles
        JOIN providers ON providers.account = provider_roles.account
        JOIN people ON people.account = provider_roles.account
        WHERE provider_roles.market = $1 AND provider_roles.account = $2 AND provider_roles.verified
            AND provider_roles.available AND providers.current_order IS NULL AND NOT is_banned($2, $1)
            AND (NOT $3 OR EXISTS (
                SELECT FROM provider_subscriptions AS subscription
                WHERE subscription.market = $1 AND subscription.account = $2 AND subscription.ends_at > now()))
        """
    let market: String
    let provider: UUID
    /// Whether the provider has to be subscribed.
    let needsSubscription: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(market, provider, needsSubscription) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct OfferedPrice: Sendable {
    let service: String
    let price: Int
}

/// What a provider asks for these services; those not offered, or not in the market's currency, are left out.
struct FindPrices: Statement {
    static let sql: SQL = """
        SELECT service, price FROM offerings WHERE market = $1 AND account = $2 AND service = ANY ($3)
            AND coalesce(currency, $5) = $4
        """
    let market: String
    let provider: UUID
    let services: [String]
    let currency: PriceCurrency
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, provider, services, currency.code, currency.first)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OfferedPrice {
        OfferedPrice(service: try row.next(), price: try row.next())
    }
}

/// What others' stars add up to for a person; no row before the first.
struct FindStanding: Statement {
    static let sql: SQL = """
        SELECT stars, count FROM rating_sums WHERE market = $1 AND account = $2 AND role = $3
        """
    let market: String
    let account: UUID
    let role: OrderActor
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, role.rawValue) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetails.Standing {
        OrderDetails.Standing(stars: try row.next(), count: try row.next())
    }
}
