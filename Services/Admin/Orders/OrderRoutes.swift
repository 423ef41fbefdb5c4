import Contracts
import Foundation
import Messaging
import Hummingbird
import Postgres
import ServiceKit

extension AdminRoutes {
    /// `GET markets/{market}/orders`: newest first, or CSV if only that is accepted.
    @Sendable func orders(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        if request.acceptsOnlyCSV { return try await ordersCSV(request, context) }
        let query = QueryForm(request)
        let filter = try await orderFilter(query, market)
        let page = try query.page(
            of: "orders", .descending, where: ["market": market.id], owner: context.caller.accountID, sealedBy: sealer)
        let rows = try await ListMatchingOrders(pool: pool)(
            filter, before: page.position(first: .newest), limit: page.fetchLimit)
        let known = try await live(market.id)
        let answer = try page.answer(
            rows, at: { ($0.position.at, $0.position.id) },
            item: { try OrderView($0, in: known, language: context.language) })
        return try .json(.ok, answer)
    }

    /// `GET markets/{market}/orders.csv`: the orders of a range of days, oldest first.
    @Sendable func ordersCSV(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let query = QueryForm(request)
        let filter = try await orderFilter(query, market, hasRange: true)
        try query.finish()
        return try await ExportOrderLines(pool: late, market: try await live(market.id))(
            filter, language: context.language)
    }

    /// `GET orders/{order}`: the whole order with its people and ways. The audit log records it.
    @Sendable func order(_ request: Request, _ context: AuthenticatedContext) async throws -> OrderDetailsView {
        try context.caller.requireAdmin()
        let id = try context.uuid("order")
        let (orders, payments, ratings, events) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ShowOrder(order: id), ShowPayment(order: id), ListRatings(order: id), ListOrderEvents(order: id))
        }
        guard let row = orders.first else { throw Problem.notFound }
        let market = try await live(try row.order().market)
        let order = try OrderView(row, in: market, language: context.language)
        // Orders of markets that the caller does not administer are not found.
        guard context.caller.has("admin", in: order.market) else { throw Problem.notFound }
        let look = AuditEntry.look(at: id, in: order.market, by: context.caller.accountID, now: clock())
        try await pool.withTransaction { $0.send(InsertAudit(look)) }
        let words = TimelineWords(
            catalogue: catalogue, market: market, kind: order.kind, language: context.language)
        return OrderDetailsView(order, payment: payments.first, ratings: ratings, events: events, words: words)
    }

    /// The query has the faults.
    /// - Parameter hasRange: whether a query without days stands for the default range instead of all days.
    private func orderFilter(
        _ query: QueryForm, _ market: Market, hasRange: Bool = false
    ) async throws -> OrderFilter {
        var filter = OrderFilter(market: market.id)
        filter.state = query.choice("state", of: OrderSnapshot.State.self)?.rawValue
        filter.kind = query.choice("kind", of: market.kinds.map(\.id))
        filter.customer = query.uuid("customer")
        filter.provider = query.uuid("provider")
        filter.account = query.uuid("account")
        if let text = query.text("text", isSearch: true) {
            filter.number = OrderNumber(TypedText.asciiDigits(text))
            // Of a text without letters and digits nothing is left: it is in every name.
            if filter.number == nil { filter.name = SearchText.folded(text) }
        }
        if hasRange || query.asksForDays {
            let zone = try await inForce(in: market).timeZone
            if let days = query.days(timeZone: zone, now: clock()) {
                filter.start = days.start
                filter.end = days.end
            }
        }
        return filter
    }
}
