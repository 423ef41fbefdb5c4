import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import ServiceKit

/// Routes for places by text, by pin and from the list of cities, each with whether the market serves it (C9).
struct PlaceRoutes: Sendable {
    static let defaultLimit = 5
    static let maximumLimit = 20

    let markets: LiveMarkets
    /// Nil if no API is configured; then only the market's cities are found.
    let search: (any PlaceSearch)?

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("dispatch/v1/markets/{market}", context: AuthenticatedContext.self)
        group.get("places") { try await find($0, $1) }
        group.get("places/at") { try await name($0, $1) }
        router.get("dispatch/v1/markets/{market}/cities") { _, context in
            let (market, settings) = try markets.market(of: context)
            return PlaceListView(
                FoundPlaces(places: Self.cities(of: market, context.language)), settings, areServedOnly: true)
        }
    }

    private func find(_ request: Request, _ context: AuthenticatedContext) async throws -> PlaceListView {
        let (market, settings) = try markets.market(of: context)
        let query = QueryForm(lenient: request)
        let text = query.text("text", maximum: 200, isRequired: true)
        let limit = query.integer("limit", in: 1...Self.maximumLimit) ?? Self.defaultLimit
        guard let text, query.isValid else { throw query.problem }
        guard let search else {
            let wanted = SearchName.folded(text)
            let cities = Self.cities(of: market, context.language, named: wanted).prefix(limit)
            return PlaceListView(FoundPlaces(places: Array(cities)), settings)
        }
        let found = try await search.places(
            named: text, within: Self.box(of: settings.serviceArea), language: context.language.rawValue, limit: limit,
            for: context.caller.accountID)
        return PlaceListView(
            FoundPlaces(places: Array(found.places.prefix(limit)), attribution: found.attribution), settings)
    }

    private func name(_ request: Request, _ context: AuthenticatedContext) async throws -> PlaceAtView {
        let (_, settings) = try markets.market(of: context)
        let query = QueryForm(lenient: request)
        let place = query.place()
        guard let place, query.isValid else { throw query.problem }
        let isServed = ServiceArea(corners: settings.serviceArea).contains(
            latitude: place.latitude, longitude: place.longitude)
        // try?: the answer is useful without a name, too.
        let found = try? await search?.name(
            of: place, language: context.language.rawValue, for: context.caller.accountID)
        return PlaceAtView(
            latitude: place.latitude, longitude: place.longitude, name: found?.places.first?.name,
            served: isServed, attribution: found?.places.isEmpty == false ? found?.attribution : nil)
    }

    private static func cities(
        of market: Market, _ language: Language, named wanted: String = ""
    ) -> [FoundPlace] {
        market.cities.filter { city in
            wanted.isEmpty || ["en", "ar"].contains { SearchName.folded(city.name.text(in: $0)).contains(wanted) }
        }.map { FoundPlace(name: $0.name.text(in: language.rawValue), place: GeoPoint($0.place)) }
    }

    private static func box(of area: [Coordinate]) -> PlaceBox {
        let bounds = ServiceArea(corners: area).bounds
        return PlaceBox(south: bounds.south, west: bounds.west, north: bounds.north, east: bounds.east)
    }
}

struct PlaceListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let name: String
        let latitude: Double
        let longitude: Double
        /// Whether the market serves the place.
        let served: Bool
    }

    let items: [Item]
    /// Must be shown with the items.
    let attribution: String?

    init(_ found: FoundPlaces, _ settings: MarketSettings, areServedOnly: Bool = false) {
        let area = ServiceArea(corners: settings.serviceArea)
        items = found.places.map { found in
            Item(
                name: found.name, latitude: found.place.latitude, longitude: found.place.longitude,
                served: area.contains(latitude: found.place.latitude, longitude: found.place.longitude))
        }.filter { $0.served || !areServedOnly }
        attribution = found.attribution
    }
}

struct PlaceAtView: ResponseEncodable, Encodable, Sendable {
    let latitude: Double
    let longitude: Double
    let name: String?
    let served: Bool
    let attribution: String?
}

extension PlaceSearchFailure: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unavailable: .unavailable
        case .shareUsed(let seconds): .tooManyRequests(retryAfterSeconds: seconds)
        }
    }
}
