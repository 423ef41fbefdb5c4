import Contracts
import Foundation
import LiveMarkets
import Messaging
import Matching
import Postgres

/// What a way costs at this moment. It asks the map and the database, and writes nothing.
struct PriceWay: Sendable {
    struct Request: Sendable {
        let market: Market
        let account: UUID
        let kind: String
        /// Of the market's tariffs.
        let tariff: String
        let from: Order.Place
        let to: Order.Place
        let promo: String?
        /// From which it is brought.
        var restaurant: Restaurant?
        /// Which is brought from where.
        var bike: (type: BikeType, rack: UUID)?

        /// Whether only larger vehicles will do.
        var isLarge: Bool { kind == Workflow.ride.kind && tariff == Order.Ride.Size.xl.rawValue }
    }

    /// Free providers whose way to the customer is asked for.
    static let nearest = 5
    /// Free providers who are counted for the surge; more make no difference.
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
            way: found, waits: waits, waiting: waiting, free: free, tariff: Tariff(tariff), rule: rule)
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

    /// How many who could do it are near enough to count, and how long the nearest ones of all would take.
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
        // As much as is said of somebody whose place is coarse.
        return (near, ways.map(\.rounded.seconds))
    }

    private func waitingOrders(around place: GeoPoint, _ rule: Surge.Rule, _ request: Request) async throws -> Int {
        guard rule.capPercent > 100 else { return 0 }
        let box = DegreeBox(around: place, metres: Double(rule.radiusMetres))
        let places = try await pool.query(
            ListWaitingPlaces(
                market: request.market.id, kind: request.kind, isLarge: request.isLarge, latitudes: box.latitudes,
                longitudes: box.longitudes))
        return places.count { other in
            place.metres(to: GeoPoint(latitude: other.latitude, longitude: other.longitude))
                <= Double(rule.radiusMetres)
        }
    }
}
