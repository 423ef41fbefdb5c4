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

    /// Corners of a map.
    struct Bounds: Sendable {
        let southWest: GeoPoint
        let northEast: GeoPoint
    }

    /// Last item of the previous page.
    struct Position: Sendable {
        let rank: Int
        let order: UUID
    }

    let market: String
    /// Center of the search; orders begin within the radius around it. Nil for all requests of the market.
    let place: GeoPoint?
    let radiusMetres: Int
    /// The map on which the orders begin; nil for everywhere.
    let bounds: Bounds?
    /// Place from which ``Order/near`` measures.
    let from: GeoPoint?
    /// Distance from the origin to the rounded destination.
    let metres: ClosedRange<Int>
    let maximumGrams: Int
    /// Nil means both.
    let isFragile: Bool?
    let order: Order
    /// The searching account, whose own orders are left out, and those for which it has too low a rating.
    let account: UUID
    /// The account's rating, in tenths of a star; nil without ratings.
    var rating: Int?
    /// Nil for the first page.
    var after: Position?
    /// Maximum number of rows.
    var limit: Int

    /// Parameters `$1` to `$16`.
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, metres.lowerBound, metres.upperBound, maximumGrams, isFragile, account, rating)
        bindings.append(bounds?.southWest.longitude, bounds?.southWest.latitude)
        bindings.append(bounds?.northEast.longitude, bounds?.northEast.latitude)
        bindings.append(from?.latitude, from?.longitude, after?.rank, after?.order, limit)
    }
}

/// An order on the board, with its place in the search.
struct BoardRow: Sendable {
    let rank: Int
    /// Metres from the reader's place; nil without one.
    let metresAway: Double?
    let order: OrderDetailsRow

    init(_ row: inout RowReader) throws(PostgresError) {
        rank = try row.next()
        metresAway = try row.next()
        order = try OrderDetailsRow(&row)
    }

    /// The columns of a found order, in the order that was asked for.
    static let page: SQL = """
        SELECT found.rank, found.metres_away, \(OrderDetailsRow.columns)
        FROM found JOIN order_details ON order_details.id = found.order_id
        ORDER BY found.rank, found.order_id DESC
        """

    /// Rows that pass a filter. The parameters are those of ``BoardFilter/bind(_:)``.
    static let conditions: SQL = """
        market = $1 AND metres BETWEEN $2 AND $3 AND grams <= $4 AND ($5::boolean IS NULL OR is_fragile = $5)
            AND customer <> $6 AND (minimum_rating IS NULL OR minimum_rating <= $7)
            AND ($8::float8 IS NULL OR origin::geometry && ST_MakeEnvelope($8, $9, $10, $11, 4326))
        """

    static let metresAway: SQL = """
        ST_Distance(origin, ST_SetSRID(ST_MakePoint($13, $12), 4326)::geography)
        """
}

/// Lists a market's board, the newest first, through the index of the markets.
struct ListBoard: Statement {
    static let sql: SQL = """
        WITH found AS MATERIALIZED (
            SELECT order_id, 0::bigint AS rank, \(BoardRow.metresAway) AS metres_away
            FROM board
            WHERE \(BoardRow.conditions) AND ($15::uuid IS NULL OR $14::bigint IS NOT NULL AND order_id < $15)
            ORDER BY order_id DESC
            LIMIT $16
        )
        \(BoardRow.page)
        """
    let filter: BoardFilter
    func bind(_ bindings: inout Bindings) { filter.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BoardRow { try BoardRow(&row) }
}

/// Lists a market's board in another order than by age.
struct SortBoard: Statement {
    static let sql: SQL = """
        WITH ranked AS (
            SELECT order_id, \(BoardRow.metresAway) AS metres_away,
                CASE $17 WHEN 'payment' THEN -price WHEN 'way' THEN metres ELSE round(\(BoardRow.metresAway))::bigint
                END AS rank
            FROM board WHERE \(BoardRow.conditions)
        ), found AS MATERIALIZED (
            SELECT order_id, rank, metres_away FROM ranked
            WHERE $15::uuid IS NULL OR rank > $14 OR rank = $14 AND order_id < $15
            ORDER BY rank, order_id DESC
            LIMIT $16
        )
        \(BoardRow.page)
        """
    let filter: BoardFilter
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        bindings.append(filter.order.rawValue)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BoardRow { try BoardRow(&row) }
}

/// Lists the board's orders near a place, through the index of the origins.
struct SearchBoard: Statement {
    static let sql: SQL = """
        WITH ranked AS (
            SELECT order_id, \(BoardRow.metresAway) AS metres_away,
                CASE $17 WHEN 'payment' THEN -price WHEN 'way' THEN metres
                    WHEN 'near' THEN round(\(BoardRow.metresAway))::bigint ELSE 0 END AS rank
            FROM board
            WHERE ST_DWithin(origin, ST_SetSRID(ST_MakePoint($19, $18), 4326)::geography, $20)
                AND \(BoardRow.conditions)
        ), found AS MATERIALIZED (
            SELECT order_id, rank, metres_away FROM ranked
            WHERE $15::uuid IS NULL OR rank > $14 OR rank = $14 AND order_id < $15
            ORDER BY rank, order_id DESC
            LIMIT $16
        )
        \(BoardRow.page)
        """
    let filter: BoardFilter
    let place: GeoPoint
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        bindings.append(
            filter.order.rawValue, place.latitude, place.longitude, Double(filter.radiusMetres))
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BoardRow { try BoardRow(&row) }
}
