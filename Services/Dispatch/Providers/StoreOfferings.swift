import Foundation
import Postgres

/// Adds offerings and updates the prices of existing ones.
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
    /// The currency of the prices (ISO 4217).
    let currency: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, account)
        bindings.append(columnsOf: offerings, \.service, \.price)
        bindings.append(currency)
    }
}
