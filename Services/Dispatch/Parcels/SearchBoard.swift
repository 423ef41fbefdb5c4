import Foundation
import Matching
import Postgres

/// Filter of a search on the board.
struct BoardFilter: Sendable {
    enum Order: String, Sendable, CaseIterable {
        /// Newest first.
        case newest
        /// Highest payment first.
        case payment
        /// Shortest way from origin to destination first.
        case way
        /// Nearest first.
        case near
    }

    let market: String
    /// Center of the search; orders begin within the radius around it.
    let place: GeoPoint
    let radiusMetres: Int
    /// Place from which ``Order/near`` measures.
    let from: GeoPoint
    /// Distance from the origin to the rounded destination.
    let metres: ClosedRange<Int>
    let maximumGrams: Int
    /// Nil means both.
    let isFragile: Bool?
    let order: Order
    let limit: Int
    /// The searching account, whose own orders are left out.
    let account: UUID
}

/// Lists the board's orders near a place, through the index of the origins.
struct SearchBoard: Statement {
    static let sql: SQL = """
        SELECT found.metres_away, \(OrderDetailsRow.columns)
        FROM (
            SELECT order_id, price, metres,
                ST_Distance(origin, ST_SetSRID(ST_MakePoint($6, $5), 4326)::geography) AS metres_away
            FROM board
            WHERE ST_DWithin(origin, ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography, $4) AND market = $1
                AND metres BETWEEN $7 AND $8 AND grams <= $9 AND ($10::boolean IS NULL OR is_fragile = $10)
                AND customer <> $13
            ORDER BY
                CASE $11 WHEN 'payment' THEN -price WHEN 'way' THEN metres
                    WHEN 'near' THEN ST_Distance(origin, ST_SetSRID(ST_MakePoint($6, $5), 4326)::geography) END,
                order_id DESC
            LIMIT $12
        ) AS found
        JOIN order_details ON order_details.id = found.order_id
        ORDER BY
            CASE $11 WHEN 'payment' THEN -found.price WHEN 'way' THEN found.metres
                WHEN 'near' THEN found.metres_away END,
            found.order_id DESC
        """
    let filter: BoardFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            filter.market, filter.place.latitude, filter.place.longitude, Double(filter.radiusMetres),
            filter.from.latitude, filter.from.longitude, filter.metres.lowerBound, filter.metres.upperBound,
            filter.maximumGrams, filter.isFragile, filter.order.rawValue, filter.limit, filter.account)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (metresAway: Double, order: OrderDetailsRow) {
        (try row.next(), try OrderDetailsRow(&row))
    }
}
