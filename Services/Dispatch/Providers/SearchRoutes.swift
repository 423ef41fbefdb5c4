import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import ServiceKit

/// Routes for customers who look for a provider and follow the provider of their order (C3, O6).
struct SearchRoutes: Sendable {
    /// The number of services in one search.
    static let serviceLimit = 20

    let markets: LiveMarkets
    let findFreeProviders: FindFreeProviders
    let findNearbyPlaces: FindNearbyPlaces
    let trackOrder: TrackOrder
    let cursors: CursorSealer

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/providers") { request, context in
            try await listProviders(request, context)
        }
        group.get("markets/{market}/nearby") { request, context in
            let (market, settings) = try markets.market(of: context)
            try context.caller.require("customer", in: market.id)
            let query = QueryForm(lenient: request)
            let place = query.place()
            guard let place, query.isValid else { throw query.problem }
            let places = try await findNearbyPlaces(
                market: market.id, near: place, radiusMetres: settings.searchRadiusMetres,
                needsSubscription: settings.subscriptionRequired,
                caller: context.caller.accountID)
            return NearbyListView(items: places.map(PlaceView.init))
        }
        group.get("orders/{id}/tracking") { _, context in
            TrackingView(try await trackOrder(try context.uuid("id"), for: context.caller.accountID))
        }
    }

    private func listProviders(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> FreeProviderListView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let query = QueryForm(lenient: request)
        let services = Self.services(query, market)
        let place = query.place()
        let gender = query.choice("gender", of: ["female", "male"])
        let name = query.text("name") ?? ""
        let page = try query.page(
            of: "providers", where: ["market": market.id], owner: context.caller.accountID, sealedBy: cursors)
        guard let place else { throw query.problem }
        let search = FindFreeProviders.Search(
            market: market.id, services: services, place: place, gender: gender, name: name, limit: page.limit,
            after: page.cursor.flatMap { CandidateSearch.Mark($0) }, caller: context.caller.accountID)
        let found = try await findFreeProviders(
            search,
            FindFreeProviders.Terms(
                radiusMetres: settings.searchRadiusMetres, metresPerMinute: settings.speedMetresPerMinute,
                needsSubscription: settings.subscriptionRequired, currency: settings.prices(in: market)))
        let next = try found.next.map { try page.next(after: $0.values) }
        return FreeProviderListView(
            found.providers, next: next, services: services, market, currency: settings.currency, context.language)
    }

    /// Parses `services=wound-care,injection`: services of the market; repeated ones count once.
    private static func services(_ query: QueryForm, _ market: Market) -> [String] {
        guard let text = query.text("services", maximum: 2_000, isRequired: true) else { return [] }
        let asked = text.split(separator: ",").map(String.init)
        var services: [String] = []
        for service in asked where !services.contains(service) { services.append(service) }
        let known = market.services.map(\.id)
        if services.isEmpty || !services.allSatisfy(known.contains) {
            query.reject("services", "not-a-choice", ["choices": known.joined(separator: ", ")])
        }
        if services.count > serviceLimit { query.reject("services", "too-many", ["maximum": String(serviceLimit)]) }
        return services
    }
}

extension CandidateSearch.Mark {
    /// Nil for a cursor of an older version.
    init?(_ cursor: Cursor) {
        guard let metres = cursor.values.first?.text.flatMap({ Double($0) }), let provider = cursor.values.last?.uuid
        else {
            return nil
        }
        self.init(metres: metres, provider: provider)
    }

    /// The distance is that of the provider's cell, exact as text: a rounded one would not find its place again.
    var values: [CursorValue] { [.text(String(metres)), .uuid(provider)] }
}
