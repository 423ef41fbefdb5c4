import Contracts
import Foundation
import Hummingbird
import Postgres
import SeraiJSON
import ServiceKit

/// Counts what an owner has sent in a market, by currency: parcels that were delivered, as long as their orders are kept.
struct CountSentParcels: Statement {
    struct Row: Sendable {
        let currency: String
        let count: Int
        /// Minor units.
        let paid: Int
    }

    static let sql: SQL = """
        SELECT currency, count(*), sum(total)::bigint FROM orders
        WHERE customer = $1 AND is_final AND market = $2 AND kind = 'parcel' AND state = 'completed'
        GROUP BY currency ORDER BY currency
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(currency: try row.next(), count: try row.next(), paid: try row.next())
    }
}

/// How many parcels an owner has sent, and what was paid for them.
struct SentParcelsView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let parcels: Int
        let paid: Money
    }

    let items: [Item]

    init(_ rows: [CountSentParcels.Row]) {
        items = rows.map { Item(parcels: $0.count, paid: Money(amount: $0.paid, currency: $0.currency)) }
    }
}
