import Foundation
import Postgres

/// Adds offerings and sets the prices of those that there are.
struct StoreOfferings: Statement {
    static let sql: SQL = """
        INSERT INTO offerings (market, account, service, price, currency)
        SELECT $1, $2, service, price, $5::text FROM unnest($3::text[], $4::bigint[]) AS given (service, price)
        ON CONFLICT (market, account, service) DO UPDATE SET price = excluded.price, currency = excluded.currency
        WHERE offerings.price <> excluded.price OR offerings.currency IS DISTINCT FROM excluded.currency
        """
    let market: String
    let account: UUID
    let offerings: [Offering]
    /// ISO 4217, of the prices.
    let currency: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, account)
        bindings.append(columnsOf: offerings, \.service, \.price)
        bindings.append(currency)
    }
}
