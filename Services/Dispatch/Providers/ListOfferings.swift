import Foundation
import Postgres

/// Lists a provider's offerings that are priced in the market's currency.
struct ListOfferings: Statement {
    static let sql: SQL = """
        SELECT service, price FROM offerings
        WHERE market = $1 AND account = $2 AND coalesce(currency, $4) = $3 ORDER BY service
        """
    let market: String
    let account: UUID
    let currency: PriceCurrency
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, currency.code, currency.first) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Offering {
        Offering(service: try row.next(), price: try row.next())
    }
}
