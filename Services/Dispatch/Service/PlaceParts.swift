import AsyncHTTPClient
import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Logging
import Messaging
import NIOCore
import Postgres
import ServiceKit

/// The part of the service that knows places and what is at them: quotes, restaurants, racks, the place search; and visits
/// that come again.
struct PlaceParts: Sendable {
    static let routingKey = ConfigurationKey<String?>(
        "routing.url",
        "A routing engine that speaks OSRM's table and route, for cars. Without one ways are estimated as the crow flies."
    )
    static let walkingKey = ConfigurationKey<String?>(
        "routing.walking.url",
        "A routing engine that speaks OSRM's route, for people on foot. Without one the direction alone is shown.")
    static let routingTimeoutKey = ConfigurationKey<Int>(
        "routing.timeout.milliseconds", "How long the routing engine is waited for.", default: 800, in: 50...10_000)
    static let geocoderKey = ConfigurationKey<String?>(
        "geocoder.url", "A place search in Nominatim's form. Without one the cities of a market are found.")
    static let geocoderTimeoutKey = ConfigurationKey<Int>(
        "geocoder.timeout.milliseconds", "How long the place search is waited for.", default: 2_000, in: 50...10_000)
    static let geocoderRateKey = ConfigurationKey<Int>(
        "geocoder.per.second", "How often one process asks the place search at most. One account has a quarter of it.",
        default: 1, in: 1...1_000)
    static let keys = [
        routingKey.erased, walkingKey.erased, routingTimeoutKey.erased, geocoderKey.erased, geocoderTimeoutKey.erased,
        geocoderRateKey.erased, PlaceSeal.secretKey.erased,
    ]

    /// Clients of external services.
    struct Outside: Sendable {
        let client: HTTPClient
        /// Along the streets.
        let travelTimes: any TravelTimes
        let search: (any PlaceSearch)?
        let ways: WayFinder

        init(_ configuration: ServiceConfiguration, logger: Logger) throws {
            try self.init(
                url: configuration[PlaceParts.routingKey], walking: configuration[PlaceParts.walkingKey],
                timeout: configuration[PlaceParts.routingTimeoutKey], geocoder: configuration[PlaceParts.geocoderKey],
                geocoderTimeout: configuration[PlaceParts.geocoderTimeoutKey],
                geocoderRate: configuration[PlaceParts.geocoderRateKey], logger: logger)
        }

        /// - Parameters:
        ///   - url: of the routing engine for cars.
        ///   - walking: of the one for people on foot.
        ///   - timeout: milliseconds.
        ///   - geocoder: the place search's URL.
        ///   - geocoderRate: questions a second.
        init(
            url: String?, walking: String? = nil, timeout: Int = 800, geocoder: String?, geocoderTimeout: Int = 2_000,
            geocoderRate: Int = 1,
            logger: Logger
        ) throws {
            var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
            settings.tlsConfiguration = OutgoingTLS.configuration()
            settings.timeout = .init(connect: .seconds(2), read: .seconds(10))
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
            self.client = client
            func engine(_ url: String?) -> RoutingEngine? {
                url.map { RoutingEngine(client: client, url: $0, timeout: timeout, logger: logger) }
            }
            travelTimes = if let engine = engine(url) { RoutingTimes(engine: engine) } else { StreetTimes() }
            // Of its own: what everybody may ask must not keep orders' travel times from being asked.
            ways = WayFinder(driving: engine(url), walking: engine(walking))
            search = geocoder.map { url in
                var settings = Geocoder.Settings(url: url)
                settings.timeoutMilliseconds = geocoderTimeout
                settings.perSecond = Double(geocoderRate)
                // Of a search that may be asked often, as much comes at once.
                settings.burst = max(settings.burst, settings.perSecond)
                settings.shareAtOnce = max(settings.shareAtOnce, geocoderRate / 4)
                return Geocoder(client: client, settings: settings, logger: logger)
            }
        }
    }

    let components: [ServiceComponent]
    /// Along the streets.
    let travelTimes: any TravelTimes
    let advanceSeries: AdvanceSeries
    let series: SeriesRoutes
    let quotes: QuoteRoutes
    let restaurants: RestaurantRoutes
    let racks: RackRoutes
    let places: PlaceRoutes
    let ways: WayRoutes
    private let clock: @Sendable () -> Date

    init(
        pool: PostgresPool, markets: LiveMarkets, candidates: CandidateSearch, outside: Outside,
        idempotency: IdempotencyStore, cursors: CursorSealer, seal: PlaceSeal, catalogue: ProblemCatalogue,
        clock: @escaping @Sendable () -> Date, requestVisit: @escaping RequestVisit,
        checkVisit: @escaping CheckVisit
    ) {
        let client = outside.client
        self.clock = clock
        travelTimes = outside.travelTimes
        components = [
            ServiceComponent(
                "outside client", stage: .database,
                ClosingService {
                    // try?: the process ends; what the client still holds ends with it.
                    try? await client.shutdown()
                })
        ]
        let marketClock: MarketClock = { markets.clock(of: $0) }
        advanceSeries = AdvanceSeries(request: requestVisit, clock: marketClock)
        series = SeriesRoutes(
            markets: markets,
            begin: BeginSeries(
                advance: advanceSeries, check: checkVisit, currency: { markets.settings(of: $0)?.currency },
                price: { markets.price(of: $0) }, takes: { markets.takes($0, in: $1) }),
            change: ChangeSeries(
                check: checkVisit, clock: marketClock, price: { markets.price(of: $0) },
                takes: { markets.takes($0, in: $1) }),
            reader: SeriesReader(pool: pool, clock: marketClock), idempotency: idempotency, cursors: cursors,
            seal: seal, clock: clock
        ) { $0.kind("homeCare") != nil || $0.kind("parcel") != nil }
        quotes = QuoteRoutes(
            markets: markets,
            price: QuoteTrip(
                pool: pool, markets: markets, candidates: candidates, travelTimes: outside.travelTimes),
            pool: pool, idempotency: idempotency, words: QuoteWords(catalogue: catalogue), seal: seal,
            clock: clock)
        restaurants = RestaurantRoutes(
            markets: markets, pool: pool, idempotency: idempotency, cursors: cursors, clock: clock)
        racks = RackRoutes(markets: markets, pool: pool, idempotency: idempotency, clock: clock)
        places = PlaceRoutes(markets: markets, search: outside.search)
        ways = WayRoutes(markets: markets, finder: outside.ways)
    }

    /// The handlers of series' deadlines.
    var deadlineHandlers: [String: DeadlineRunner.Operation] {
        let (advance, clock) = (advanceSeries, clock)
        return [
            AdvanceSeries.deadlineKind: { deadline, transaction in
                // Subjects are written by this program alone; another text is no series.
                guard let id = UUID(uuidString: deadline.subject) else { return }
                try await advance(id, at: deadline.now(by: clock), in: transaction)
            }
        ]
    }

    func addRoutes(to router: Router<SeraiRequestContext>) {
        series.add(to: router)
        quotes.add(to: router)
        restaurants.add(to: router)
        racks.add(to: router)
        places.add(to: router)
        ways.add(to: router)
    }
}
