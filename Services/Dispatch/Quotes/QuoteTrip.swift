import Contracts
import Foundation
import LiveMarkets
import Messaging
import Matching
import Postgres

/// Prices a way at this moment. It queries the map and the database and writes nothing.
struct QuoteTrip: Sendable {
    struct Request: Sendable {
        let market: Market
        let account: UUID
        let kind: String
        /// The key of a tariff in the market's settings.
        let tariff: String
        let from: Order.Place
        let to: Order.Place
        let promo: String?
        /// The restaurant that the order is delivered from.
        var restaurant: Restaurant?
        /// The bike that is delivered, and its rack.
        var bike: (type: BikeType, rack: UUID)?

        /// Whether the order needs a larger vehicle.
        var isLarge: Bool { kind == Workflow.ride.kind && tariff == Order.Ride.Size.xl.rawValue }
    }

    /// The number of nearest free providers whose travel time to the customer is requested.
    static let nearest = 5
    /// The number of free providers that count for the surge at most; more make no difference.
    static let counted = 100

    let pool: PostgresPool
    let markets: LiveMarkets
    let candidates: CandidateSearch
    let travelTimes: any TravelTimes

    /// - Throws: ``QuoteRefusal``
    func callAsFunction(_ request: Request, at now: Date) async throws -> Quote {
        guard let settings = markets.settings(of: request.market.id) else { throw QuoteRefusal.notFound }
        guard let tariff = settings.tariffs[request.tariff] else {
            throw QuoteRefusal.notQuoted(classes: settings.tariffs.keys.sorted())
        }
        let area = ServiceArea(corners: settings.serviceArea)
        let outside = [("from", request.from), ("to", request.to)].filter { _, place in
            !area.contains(latitude: place.latitude, longitude: place.longitude)
        }
        guard outside.isEmpty else { throw QuoteRefusal.outsideArea(fields: outside.map(\.0)) }

        let from = GeoPoint(latitude: request.from.latitude, longitude: request.from.longitude)
        let to = GeoPoint(latitude: request.to.latitude, longitude: request.to.longitude)
        async let way = travelTimes.estimates(from: [from], to: to, metresPerMinute: settings.speedMetresPerMinute)
        let rule = Surge.Rule(settings.surge)
        let (free, waits) = try await freeProviders(around: from, rule, settings, request)
        let waiting = try await waitingOrders(around: from, rule, request)
        guard let found = try await way.first else { throw QuoteRefusal.noWay }
        var terms = try Quote.terms(
            way: found, rough: request.from.roughWay(to: request.to), waits: waits, waiting: waiting, free: free,
            tariff: Tariff(tariff), rule: rule)
        terms.restaurant = request.restaurant?.id
        terms.preparationSeconds = request.restaurant.map { $0.card.preparationMinutes * 60 }
        if let bike = request.bike {
            (terms.rack, terms.bike, terms.useSeconds) = (bike.rack, bike.type, settings.completionWindowSeconds)
        }
        return Quote(
            id: .timeOrdered(), market: request.market.id, account: request.account, kind: request.kind,
            tariff: request.tariff, from: request.from, to: request.to, terms: terms, total: terms.fare.total,
            currency: settings.currency, promo: request.promo, madeAt: now,
            expiresAt: now.addingTimeInterval(Double(settings.quoteSeconds)), order: nil)
    }

    /// Counts the suitable free providers within the surge's radius and returns the travel times of the nearest ones.
    private func freeProviders(
        around place: GeoPoint, _ rule: Surge.Rule, _ settings: MarketSettings, _ request: Request
    ) async throws -> (count: Int, waits: [Int]) {
        let wanted = Order.searchKind(request.kind, isLarge: request.isLarge)
        let results = try await candidates(
            Self.counted, near: place, within: Double(settings.searchRadiusMetres), except: request.account
        ) { accounts in
            let free = try await pool.query(
                FilterFreeAccounts(
                    market: request.market.id, accounts: accounts, needsSubscription: settings.subscriptionRequired))
            let able = free.filter { row in
                request.market.searchKinds(title: row.title, vehicle: row.vehicle).contains(wanted)
            }
            return Dictionary(able.map { ($0.account, true) }) { first, _ in first }
        }
        let near = results.count { $0.found.metres <= Double(rule.radiusMetres) }
        let nearest = results.prefix(Self.nearest).map(\.found.place)
        guard !nearest.isEmpty else { return (near, []) }
        let ways = try await travelTimes.estimates(
            from: nearest, to: place, metresPerMinute: settings.speedMetresPerMinute)
        // Rounded, because a provider's coarse place must not become precise through the travel time.
        return (near, ways.map(\.rounded.seconds))
    }

    private func waitingOrders(around place: GeoPoint, _ rule: Surge.Rule, _ request: Request) async throws -> Int {
        guard rule.capPercent > 100 else { return 0 }
        let box = DegreeBox(around: place, metres: Double(rule.radiusMetres))
        let places = try await pool.query(
            ListWaitingPlaces(
                market: request.market.id, kind: request.kind, isLarge: request.isLarge, box: box))
        return places.count { other in
            place.metres(to: GeoPoint(latitude: other.latitude, longitude: other.longitude))
                <= Double(rule.radiusMetres)
        }
    }
}
