import Foundation
import Hummingbird
import Matching
import Postgres
import ServiceKit

/// A page of the board: `?latitude=…&longitude=…&radius=…&sort=near&limit=50&cursor=…`. Without a place it has all requests
/// of the market.
struct BoardQuery {
    let filter: BoardFilter
    let page: ListPage

    /// - Parameter standing: the caller's ratings as a provider of the market.
    /// - Throws: a 400 ``Problem`` with every wrong parameter.
    init(
        _ request: Request, market: String, radiusMetres: Int, account: UUID, standing: OrderDetails.Standing,
        cursors: CursorSealer
    ) throws(Problem) {
        let query = QueryForm(lenient: request)
        var filter = BoardFilter(query, market: market, radiusMetres: radiusMetres, account: account)
        page = try query.page(
            of: "board", where: ["market": market], owner: account, sealedBy: cursors,
            defaultLimit: BoardRoutes.defaultLimit)
        filter.after = page.cursor.flatMap { BoardFilter.Position($0) }
        filter.limit = page.fetchLimit
        filter.rating = standing.tenths
        self.filter = filter
    }

    func rows(_ pool: PostgresPool) async throws -> [BoardRow] {
        if let place = filter.place { return try await pool.query(SearchBoard(filter: filter, place: place)) }
        if filter.order == .newest { return try await pool.query(ListBoard(filter: filter)) }
        return try await pool.query(SortBoard(filter: filter))
    }
}

extension BoardFilter {
    /// The query has the errors.
    init(_ query: QueryForm, market: String, radiusMetres: Int, account: UUID) {
        let order = query.choice("sort", of: Order.self) ?? .newest
        let from = query.place("fromLatitude", "fromLongitude")
        // Nothing is near without a place from which it is near.
        let place = query.place("latitude", "longitude", isRequired: order == .near && from == nil)
        let all = 0...BoardRoutes.maximumMetres
        let radius = query.integer("radius", in: 1...radiusMetres) ?? radiusMetres
        let minimum = query.integer("minimumMetres", in: all) ?? all.lowerBound
        let maximum = query.integer("maximumMetres", in: all) ?? all.upperBound
        let grams = query.integer("maximumGrams", in: 1...PostParcel.Input.grams.upperBound) ?? .max
        let isFragile = query.bool("fragile")
        let southWest = query.place("south", "west")
        let northEast = query.place("north", "east", isRequired: southWest != nil)
        if southWest == nil, northEast != nil { query.reject("south", "required") }
        if minimum > maximum {
            query.reject("minimumMetres", "out-of-range", ["minimum": "0", "maximum": "\(maximum)"])
        }
        self.init(
            market: market, place: place, radiusMetres: radius,
            bounds: southWest.flatMap { south in northEast.map { Bounds(southWest: south, northEast: $0) } },
            from: from ?? place, metres: minimum...max(minimum, maximum), maximumGrams: grams,
            isFragile: isFragile, order: order, account: account, limit: 0)
    }
}

extension BoardFilter.Position {
    /// Nil for a cursor of an older version.
    init?(_ cursor: Cursor) {
        guard let rank = cursor.values.first?.integer, let order = cursor.values.last?.uuid else { return nil }
        self.init(rank: Int(rank), order: order)
    }
}

extension OrderDetails.Standing {
    /// The average in tenths of a star, rounded as it is shown; nil without ratings.
    var tenths: Int? { count > 0 ? (stars * 20 + count) / (count * 2) : nil }
}
