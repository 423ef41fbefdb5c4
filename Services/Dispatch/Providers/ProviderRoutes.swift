import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import ServiceKit

/// Routes for providers: offerings, availability and position (C2, C4).
struct ProviderRoutes: Sendable {
    static let offeringLimit = 200
    /// The tolerance for a phone's clock that is ahead, in seconds.
    static let clockSlack: TimeInterval = 60
    /// The oldest accepted position, in seconds. An older one means that the phone's clock is slow; an error is better
    /// than ignoring it silently.
    static let oldestFix: TimeInterval = 3_600

    let markets: LiveMarkets
    let replaceOfferings: ReplaceOfferings
    let listOfferings: ListProviderOfferings
    let switchAvailability: SwitchAvailability
    let findAvailability: FindAvailability
    let inbox: PositionInbox
    let index: PositionIndex
    /// In seconds.
    let freshness: TimeInterval
    let words: ProblemCatalogue
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/offerings") { request, context in try await getOfferings(request, context) }
        group.put("markets/{market}/offerings") { request, context in
            let (market, settings) = try providerMarket(context)
            let prices = settings.prices(in: market)
            let offerings = try Self.offerings(try await request.form(context: context), prices)
            try await replaceOfferings(offerings, of: context.caller.accountID, in: market, prices.code)
            return try await list(of: context.caller.accountID, market, prices, context)
        }
        group.get("markets/{market}/availability") { _, context in
            let (market, settings) = try providerMarket(context)
            let answer = try await findAvailability(
                context.caller.accountID, in: market, settings.prices(in: market))
            return view(answer, since: answer.since, last: answer.last, settings, context)
        }
        group.put("markets/{market}/availability") { request, context in
            try await putAvailability(request, context)
        }
        group.post("positions") { request, context in try await postPosition(request, context) }
    }

    /// A provider's own, or those of the provider whom an admin names.
    private func getOfferings(_ request: Request, _ context: AuthenticatedContext) async throws -> OfferingListView {
        let (market, settings) = try markets.market(of: context)
        let query = QueryForm(lenient: request)
        let named = query.uuid("provider")
        try context.caller.require(named == nil ? "provider" : "admin", in: market.id)
        guard query.isValid else { throw query.problem }
        return try await list(of: named ?? context.caller.accountID, market, settings.prices(in: market), context)
    }

    private func list(
        of provider: UUID, _ market: Market, _ prices: PriceCurrency, _ context: AuthenticatedContext
    ) async throws -> OfferingListView {
        let items = try await listOfferings(of: provider, in: market, prices)
        return OfferingListView(items, of: market, currency: prices.code, context.language)
    }

    private func putAvailability(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> AvailabilityView {
        let (market, settings) = try providerMarket(context)
        let form = try await request.form(context: context)
        let wanted = form.bool("available")
        let place = Self.place(form)
        guard let wanted, form.isValid else { throw form.problem }
        let provider = context.caller.accountID
        let since = try await switchAvailability(wanted, provider, in: market.id, at: clock())
        let answer = try await findAvailability(provider, in: market, settings.prices(in: market))
        var last = answer.last
        if let place {
            let fix = Fix(place: place, at: clock())
            // While the provider holds an order, the place is checked for plausibility like any report.
            let isBelieved = !answer.isHeld
            // The switch counts even if the inbox is full and the place has to wait for the next report.
            let isTaken = inbox.put(PositionReport(provider: provider, fix: fix, isManual: isBelieved))
            if isBelieved {
                if isTaken { last = fix }
                // Searches see the place at once.
                index.put(CollectionOfOne((provider: provider, fix: fix)))
            }
        }
        return view(answer, since: since, last: last, settings, context)
    }

    private func view(
        _ answer: FindAvailability.Answer, since: Date?, last: Fix?, _ settings: MarketSettings,
        _ context: AuthenticatedContext
    ) -> AvailabilityView {
        AvailabilityView(
            answer, since: since, last: last, freshness: freshness, at: clock(),
            needsSubscription: settings.subscriptionRequired, words: words, in: context.language)
    }

    /// Accepts a position into the inbox and answers before it is written; a lost position costs little, as the next
    /// one follows soon.
    private func postPosition(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        guard context.caller.roles.contains(where: { $0.role == "provider" }) else { throw Problem.forbidden }
        let form = try await request.form(context: context)
        let place = form.position()
        let at = form.date("at", required: false)
        let accuracy = form.number("accuracyMetres", in: 0...100_000, required: false)
        let now = clock()
        if let at, at > now + Self.clockSlack { form.reject("at", "position-in-the-future") }
        if let at, at < now - Self.oldestFix { form.reject("at", "position-too-old") }
        guard let place, form.isValid else { throw form.problem }
        let fix = Fix(place: GeoPoint(latitude: place.latitude, longitude: place.longitude), at: min(at ?? now, now))
        let report = PositionReport(
            provider: context.caller.accountID, fix: fix, toldAt: now, accuracyMetres: accuracy)
        guard inbox.put(report) else {
            throw Problem.unavailable
        }
        return Response(status: .accepted)
    }

    /// - Throws: 404 for an unknown market, 403 for a caller who is not a provider in it.
    private func providerMarket(
        _ context: AuthenticatedContext
    ) throws(Problem) -> (market: Market, settings: MarketSettings) {
        let found = try markets.market(of: context)
        try context.caller.require("provider", in: found.market.id)
        return found
    }

    private static func offerings(_ form: Form, _ prices: PriceCurrency) throws(Problem) -> [Offering] {
        form.checkCurrency(prices)
        let entries = form.objects("offerings", count: 0...offeringLimit) ?? []
        let offerings = entries.compactMap { entry -> Offering? in
            let service = entry.string("service", length: 1...100)
            let price = entry.integer("price", in: 1...OfferingRules.maximumPrice)
            guard let service, let price else { return nil }
            return Offering(service: service, price: price)
        }
        try form.finish()
        return offerings
    }

    /// Both coordinates or neither.
    private static func place(_ form: Form) -> GeoPoint? {
        form.position(required: false).map { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) }
    }
}
