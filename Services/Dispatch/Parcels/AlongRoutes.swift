import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Postgres
import ServiceKit

/// `GET markets/{market}/board/along`: requests along a carrier's own way (X7).
struct AlongRoutes: Sendable {
    /// Up to a way around a large city.
    static let detours = 100...200_000
    static let defaultDetour = 5_000

    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/board/along") { try await list($0, $1) }
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<AlongItem> {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let account = context.caller.accountID
        let standing = try await orders.reader.requireProvider(account, in: market.id)
        let query = QueryForm(request)
        let from = query.place("fromLatitude", "fromLongitude", required: true)
        let to = query.place("toLatitude", "toLongitude", required: true)
        let detour = query.integer("detourMetres", in: Self.detours, otherwise: Self.defaultDetour)
        let grams = query.integer("maximumGrams", in: 1...PostParcel.Input.grams.upperBound, otherwise: .max)
        let order = query.choice("sort", of: CarrierWay.Order.allCases.map(\.rawValue)).flatMap(CarrierWay.Order.init)
        guard let from, let to, query.isValid else { throw query.problem }
        let way = CarrierWay(from: from, to: to, detourMetres: detour)
        let scope = CursorScope(
            list: "board-along",
            filters: [
                "market": market.id, "from": "\(from.latitude) \(from.longitude)",
                "to": "\(to.latitude) \(to.longitude)",
                "detour": "\(detour)", "grams": "\(grams)", "sort": (order ?? .detour).rawValue,
            ], owner: account.uuidString)
        let page = try PageRequest(
            request, scope: scope, sealer: orders.cursors, defaultLimit: BoardRoutes.defaultLimit)
        var after: BoardFilter.Position?
        if let values = page.cursor?.values, let rank = values.first?.integer, let last = values.last?.uuid {
            after = BoardFilter.Position(rank: Int(rank), order: last)
        }
        let rows = try await orders.reader.pool.query(
            ListAlongWay(
                market: market.id, way: way, account: account, rating: standing.tenths, maximumGrams: grams,
                order: order ?? .detour, after: after, limit: page.fetchLimit))
        return try Page(
            rows: rows, request: page, direction: .ascending, scope: scope, sealer: orders.cursors,
            position: { [.integer(Int64($0.rank)), .uuid($0.order.id)] },
            item: { row in
                AlongItem(
                    order: OrderView(
                        try row.order.details(), for: .provider, in: context.language.rawValue, isStranger: true),
                    detour: GreatCircleTimes.estimate(
                        metres: row.detour, metresPerMinute: settings.speedMetresPerMinute))
            })
    }
}

/// A request along the way.
struct AlongItem: Encodable, Sendable {
    let order: OrderView
    /// How much longer the way becomes along the streets, about.
    let detourMetres: Int
    let detourSeconds: Int

    init(order: OrderView, detour: TravelEstimate) {
        self.order = order
        detourMetres = Int((Double(detour.metres) * GreatCircleTimes.detour).rounded())
        detourSeconds = detour.seconds
    }
}
