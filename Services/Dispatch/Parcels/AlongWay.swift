import Foundation
import Matching
import Postgres

/// A way of a carrier, and how much longer it may become for a parcel (X7).
struct CarrierWay: Sendable {
    enum Order: String, Sendable, CaseIterable {
        /// Shortest detour first.
        case detour
        /// Highest payment first.
        case payment
    }

    let from: GeoPoint
    let to: GeoPoint
    /// Maximum detour along the streets, in metres.
    let detourMetres: Int

    /// The same in a straight line. A parcel begins at most half of it away from the way: whoever leaves the way has to come
    /// back to it.
    var straightDetour: Double { Double(detourMetres) / GreatCircleTimes.detour }
}

/// Lists a market's requests that lie along a way, with the detour in a straight line: by the way to the origin, from there
/// to the goal and on to the end of the way, less the way itself. All places are the rounded ones that strangers see.
struct ListAlongWay: Statement {
    struct Row: Sendable {
        let rank: Int
        /// Straight-line metres.
        let detour: Double
        let order: OrderDetailsRow
    }

    static let sql: SQL = """
        WITH way AS (
            SELECT ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography AS first,
                ST_SetSRID(ST_MakePoint($5, $4), 4326)::geography AS last
        ), measured AS (
            SELECT board.order_id, board.price,
                greatest(0, ST_Distance(way.first, board.origin) + ST_Distance(board.origin, board.destination)
                    + ST_Distance(board.destination, way.last) - ST_Distance(way.first, way.last)) AS detour
            FROM board, way
            WHERE ST_DWithin(board.origin, ST_SetSRID(
                    ST_MakeLine(ST_MakePoint($3, $2), ST_MakePoint($5, $4)), 4326)::geography, $6)
                AND board.market = $1 AND board.destination IS NOT NULL AND board.customer <> $7
                AND (board.minimum_rating IS NULL OR board.minimum_rating <= $8) AND board.grams <= $9
        ), ranked AS (
            SELECT order_id, detour, CASE $10 WHEN 'payment' THEN -price ELSE round(detour)::bigint END AS rank
            FROM measured WHERE detour <= $6
        ), found AS MATERIALIZED (
            SELECT order_id, detour, rank FROM ranked
            WHERE $12::uuid IS NULL OR rank > $11 OR rank = $11 AND order_id < $12
            ORDER BY rank, order_id DESC
            LIMIT $13
        )
        SELECT found.rank, found.detour, \(OrderDetailsRow.columns)
        FROM found JOIN order_details ON order_details.id = found.order_id
        ORDER BY found.rank, found.order_id DESC
        """
    let market: String
    let way: CarrierWay
    let account: UUID
    /// The account's rating in tenths of a star; nil without ratings.
    let rating: Int?
    let maximumGrams: Int
    let order: CarrierWay.Order
    /// Last item of the previous page; nil for the first page.
    let after: BoardFilter.Position?
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, way.from.latitude, way.from.longitude, way.to.latitude, way.to.longitude, way.straightDetour,
            account, rating, maximumGrams, order.rawValue)
        bindings.append(after?.rank, after?.order, limit)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(rank: try row.next(), detour: try row.next(), order: try OrderDetailsRow(&row))
    }
}
