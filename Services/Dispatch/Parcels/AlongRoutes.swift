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

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<AlongItemView> {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let account = context.caller.accountID
        let standing = try await orders.reader.requireProvider(account, in: market.id)
        let query = QueryForm(lenient: request)
        let from = query.place("fromLatitude", "fromLongitude", isRequired: true)
        let to = query.place("toLatitude", "toLongitude", isRequired: true)
        let detour = query.integer("detourMetres", in: Self.detours) ?? Self.defaultDetour
        let grams = query.integer("maximumGrams", in: 1...PostParcel.Input.grams.upperBound) ?? .max
        let order = query.choice("sort", of: CarrierWay.Order.self)
        let page = try query.page(
            of: "board-along", where: ["market": market.id], owner: account, sealedBy: orders.cursors,
            defaultLimit: BoardRoutes.defaultLimit)
        guard let from, let to else { throw query.problem }
        let way = CarrierWay(from: from, to: to, detourMetres: detour)
        let rows = try await orders.reader.pool.query(
            ListAlongWay(
                market: market.id, way: way, account: account, rating: standing.tenths, maximumGrams: grams,
                order: order ?? .detour, after: page.cursor.flatMap { BoardFilter.Position($0) },
                limit: page.fetchLimit))
        return try page.answer(
            rows, position: { [.integer(Int64($0.rank)), .uuid($0.order.id)] },
            item: { row in
                AlongItemView(
                    order: OrderView(
                        try row.order.details(), of: market, for: .provider, in: context.language.rawValue,
                        isStranger: true),
                    detour: GreatCircleTimes.estimate(
                        metres: row.detour, metresPerMinute: settings.speedMetresPerMinute))
            })
    }
}

/// A request along the way.
struct AlongItemView: Encodable, Sendable {
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
