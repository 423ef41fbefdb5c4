import Foundation
import Postgres

/// The name of a person, as identity told it.
struct FindPersonName: Statement {
    static let sql: StaticString = "SELECT name FROM people WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// A provider who can be asked now: known, verified, available, not banned, and without an order.
struct FindFreeProvider: Statement {
    static let sql: StaticString = """
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
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(provider)
        bindings.append(needsSubscription)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct OfferedPrice: Sendable {
    let service: String
    let price: Int
}

/// What a provider asks for these services; those not offered, or not in the market's currency, are left out.
struct FindPrices: Statement {
    static let sql: StaticString = """
        SELECT service, price FROM offerings WHERE market = $1 AND account = $2 AND service = ANY ($3)
            AND coalesce(currency, $5) = $4
        """
    let market: String
    let provider: UUID
    let services: [String]
    let currency: PriceCurrency
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(provider)
        bindings.append(services)
        bindings.append(currency.code)
        bindings.append(currency.first)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OfferedPrice {
        OfferedPrice(service: try row.next(), price: try row.next())
    }
}

/// What others' stars add up to for a person; no row before the first.
struct FindStanding: Statement {
    static let sql: StaticString = """
        SELECT stars, count FROM rating_sums WHERE market = $1 AND account = $2 AND role = $3
        """
    let market: String
    let account: UUID
    let role: OrderActor
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(account)
        bindings.append(role.rawValue)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetails.Standing {
        OrderDetails.Standing(stars: try row.next(), count: try row.next())
    }
}
