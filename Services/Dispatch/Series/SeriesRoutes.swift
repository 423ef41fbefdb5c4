import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// `/dispatch/v1/series`: recurring visits (O7), for their customer. Admins of the market read them, and change them for a
/// caller: they end one, skip or move a visit, and change how it is paid.
struct SeriesRoutes: Sendable {
    static let defaultVisits = 20
    static let maximumVisits = 100

    let markets: LiveMarkets
    let begin: BeginSeries
    let change: ChangeSeries
    let reader: SeriesReader
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let seal: PlaceSeal
    let clock: @Sendable () -> Date
    /// Whether a market offers series.
    let takes: @Sendable (Market) -> Bool

    func add(to router: Router<SeraiRequestContext>) {
        router.group("dispatch/v1/series", context: AuthenticatedContext.self)
            .post { try await create($0, $1) }
            .get { try await list($0, $1) }
            .get("{id}") { try await find($0, $1) }
            .post("{id}/end") { try await end($0, $1) }
            .put("{id}/price") { try await agree($0, $1) }
            .put("{id}/payment") { try await pay($0, $1) }
            .get("{id}/visits") { try await visits($0, $1) }
            .put("{id}/visits/{day}") { try await move($0, $1) }
            .post("{id}/visits/{day}/skip") { try await skip($0, $1) }
        router.group("dispatch/v1", context: AuthenticatedContext.self)
            .get("markets/{market}/series") { try await listOfMarket($0, $1) }
    }

    private func create(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        var input = try BeginSeries.Input(
            try await once.request.form(context: context), caller: context.caller.accountID,
            markets: { [markets, takes] in markets.named($0).flatMap { takes($0) ? $0 : nil } })
        try context.caller.require(input.admin == nil ? "customer" : "admin", in: input.market.id)
        if input.admin == input.customer { throw Problem.ownMatter }
        try check(input)
        input.wish = try input.wish.sealed(by: seal)
        return try await idempotency.answer(once) { [input] transaction in
            let series = view(try await begin(input, at: clock(), in: transaction), context)
            return try .json(.created, series, at: "/dispatch/v1/series/\(series.series)")
        }
    }

    /// Checks the service area with the current settings, as for an order.
    private func check(_ input: BeginSeries.Input) throws {
        guard let settings = markets.settings(of: input.market.id) else { throw Problem.notFound }
        let area = ServiceArea(corners: settings.serviceArea)
        guard area.contains(latitude: input.wish.place.latitude, longitude: input.wish.place.longitude) else {
            throw RequestOrder.Refusal.outsideArea
        }
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<SeriesView> {
        let market = context.caller.keyMarket
        let page = try QueryForm(lenient: request).page(
            of: "series", .descending, where: market.map { ["market": $0] } ?? [:], owner: context.caller.accountID,
            sealedBy: cursors)
        let rows = try await reader.list(
            of: context.caller.accountID, in: market, after: page.lastID, limit: page.fetchLimit)
        return try page.answer(rows, id: { $0.id }, item: { view($0, context) })
    }

    private func find(_ request: Request, _ context: AuthenticatedContext) async throws -> SeriesView {
        let series = try await series(context, readAs: "series")
        let isOwn = series.customer == context.caller.accountID
        return view(series, context, isOwn ? nil : try await desk(of: series))
    }

    private func visits(_ request: Request, _ context: AuthenticatedContext) async throws -> SeriesVisitListView {
        let query = QueryForm(lenient: request)
        let limit = query.integer("limit", in: 1...Self.maximumVisits) ?? Self.defaultVisits
        let day = query.day("from")
        guard query.isValid else { throw query.problem }
        let series = try await series(context, readAs: "series visits")
        let visits = try await reader.visits(of: series, from: day, limit: limit, at: clock())
        let market = markets.named(series.market)
        return SeriesVisitListView(
            items: visits.map { SeriesVisitView($0.visit, $0.order, of: market, in: context.language) })
    }

    private func end(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("id")
        let once = try await IdempotentRequest(request, context: context)
        return try await changed(id, once, context, .ended) { customer, transaction in
            let series = try await change.end(id, by: customer, at: clock(), in: transaction)
            return view(series, context)
        }
    }

    /// Accepts the current price of a visit.
    private func agree(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("id")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let total = form.integer("total", in: 0...OfferingRules.maximumPrice)
        let currency = form.string("currency", length: 3...3)
        guard let total, let currency, form.isValid else { throw form.problem }
        return try await changed(id, once, context, nil) { customer, transaction in
            view(
                try await change.agree(
                    to: total, currency: currency, of: id, by: customer, at: clock(), in: transaction),
                context)
        }
    }

    private func pay(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("id")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let isByPhone = try await isByPhone(id, context)
        let payment = PaymentForm(form, isByPhone: isByPhone)
        guard let payment, form.isValid else { throw form.problem }
        let details = ["method": payment.method.rawValue]
        return try await changed(id, once, context, .paymentChanged, details) { customer, transaction in
            view(
                try await change.pay(
                    by: payment.method, card: payment.card, of: id, by: customer, isByPhone: isByPhone,
                    at: clock(), in: transaction), context)
        }
    }

    private func move(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (id, day) = (try context.uuid("id"), try Self.day(context))
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let newDay = form.day("day")
        let time = form.timeOfDay("time")
        guard let newDay, let time, form.isValid else { throw form.problem }
        let details = ["day": day.text, "time": "\(newDay.text) \(time.text)"]
        return try await changed(id, once, context, .moved, details) { customer, transaction in
            SeriesVisitView(
                try await change.move(
                    day, of: id, to: (newDay, time.minute), by: customer, at: clock(), in: transaction),
                in: context.language)
        }
    }

    private func skip(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (id, day) = (try context.uuid("id"), try Self.day(context))
        let once = try await IdempotentRequest(request, context: context)
        return try await changed(id, once, context, .skipped, ["day": day.text]) { customer, transaction in
            SeriesVisitView(
                try await change.skip(day, of: id, by: customer, at: clock(), in: transaction),
                in: context.language)
        }
    }

    // MARK: Shared

    func view(
        _ series: Series, _ context: AuthenticatedContext, _ desk: SeriesView.Desk? = nil
    ) -> SeriesView {
        var shown = series
        shown.wish = series.wish.opened(by: seal)
        return SeriesView(
            shown, of: markets.named(series.market), price: series.state == .active ? markets.price(of: series) : nil,
            timeZone: markets.settings(of: series.market)?.timeZone ?? "UTC", context.language, desk)
    }

    /// An admin's read of a customer's series is published for the audit log.
    ///
    /// - Parameter list: the name of what is read.
    private func series(_ context: AuthenticatedContext, readAs list: String) async throws -> Series {
        let caller = context.caller.accountID
        let series = try await reader.find(try context.uuid("id"), for: caller) { series in
            context.caller.has("admin", in: series.market)
        }
        if series.customer != caller {
            try await reader.pool.withTransaction { transaction in
                try transaction.publish(
                    DispatchListViewed(list, of: series.id, in: series.market, by: caller, at: clock()))
            }
        }
        return series
    }

    private static func day(_ context: AuthenticatedContext) throws(Problem) -> LocalDay {
        guard let text = context.parameters.get("day"), text.utf8.count == 10, let day = LocalDay(text) else {
            throw .notFound
        }
        return day
    }

    /// Runs a change for the series' customer, and rolls it back if the customer is no longer one of the market. An admin
    /// of the market may run it for a caller; the customer is told, and the audit log has it.
    ///
    /// - Parameter act: what an admin does; nil for what the customer alone may do.
    private func changed(
        _ id: UUID, _ once: IdempotentRequest, _ context: AuthenticatedContext, _ act: SeriesManaged.Act?,
        _ details: [String: String] = [:],
        _ change: (_ customer: UUID, PostgresTransaction) async throws -> some ResponseEncodable & Encodable
    ) async throws -> Response {
        try await answer(once, .ok, context) { transaction in
            let caller = context.caller.accountID
            guard let series = try await transaction.first(FindSeries(series: id)) else { throw SeriesRefusal.notFound }
            guard series.customer != caller else {
                let view = try await change(caller, transaction)
                try context.caller.require("customer", in: series.market)
                return view
            }
            guard let act, try context.caller.isAdmin(in: series.market) else { throw SeriesRefusal.notFound }
            let view = try await change(series.customer, transaction)
            // The end of a series that had ended before is no news.
            if series.state == Series.State.active.rawValue {
                try transaction.publish(
                    SeriesManaged(
                        series: id, market: series.market, customer: series.customer, act: act, details: details,
                        by: caller, at: clock()))
            }
            return view
        }
    }

    private func answer(
        _ once: IdempotentRequest, _ status: HTTPResponse.Status, _ context: AuthenticatedContext,
        _ act: (PostgresTransaction) async throws -> some ResponseEncodable & Encodable
    ) async throws -> Response {
        try await idempotency.answer(once) { transaction in
            let view = try await act(transaction)
            return try .json(status, view)
        }
    }
}
