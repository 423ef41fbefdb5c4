import Foundation
import Postgres

/// Finds what dispatch knows of a customer in a market, from events of identity and wallet. Always one row.
struct FindOrderingCustomer: Statement {
    struct Row: Sendable {
        /// Nil until identity's event about the account has arrived.
        let name: String?
        let isBanned: Bool
        /// The wallet has blocked the account, since a fine was not paid in time.
        let isBlocked: Bool
        /// Whether the account has a stored card that can be charged; only some markets ask for one.
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

/// Counts a customer's requested and accepted visits: neither paid nor promised in cash yet.
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

/// Counts a customer's open orders of all kinds in a market, through the index of a customer's orders. Visits and parcels of a
/// series are not counted: the customer asked for the series, which has its own limits.
struct CountOpenOrders: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM orders
        WHERE customer = $1 AND NOT is_final AND market = $2 AND particulars #>> '{homeCare,series}' IS NULL
            AND particulars #>> '{parcel,recurring,series}' IS NULL
        """
    let customer: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(customer, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Finds a provider who can be asked now: known, verified, available, not banned and without an order.
struct FindFreeProvider: Statement {
    struct Row: Sendable {
        let name: String
        let title: String?
        let gender: String?
        /// The name of the picture.
        let avatar: String?
    }

    static let sql: SQL = """
        SELECT people.name, provider_roles.title, people.gender, people.avatar FROM provider_roles
        JOIN providers ON providers.account = provider_roles.account
        JOIN people ON people.account = provider_roles.account
        WHERE provider_roles.market = $1 AND provider_roles.account = $2 AND NOT provider_roles.sells
            AND provider_roles.verified AND provider_roles.available AND providers.current_order IS NULL AND NOT is_banned($2, $1)
            AND (NOT $3 OR EXISTS (
                SELECT FROM provider_subscriptions AS subscription
                WHERE subscription.market = $1 AND subscription.account = $2 AND subscription.ends_at > now()))
        """
    let market: String
    let provider: UUID
    /// Whether the provider needs a subscription.
    let needsSubscription: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(market, provider, needsSubscription) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(name: try row.next(), title: try row.next(), gender: try row.next(), avatar: try row.next())
    }
}

struct OfferedPrice: Sendable {
    let service: String
    let price: Int
}

/// Finds a provider's prices of these services. Services that are not offered, or have no price in the market's
/// currency, are left out.
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

/// Finds the stars that an account received in a role; no row before the first rating.
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
