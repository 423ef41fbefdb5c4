import Foundation
import Postgres

struct ListOfferings: Statement {
    static let sql: StaticString =
        "SELECT service, price FROM offerings WHERE market = $1 AND account = $2 ORDER BY service"
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(account)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Offering {
        Offering(service: try row.next(), price: try row.next())
    }
}
