import AMQP
import Foundation
import Hummingbird
import LiveMarkets
import Logging
import Messaging
import Postgres
import ServiceKit

/// The providers' half of the service: who they are, what they do, where they are, and how customers find them.
///
/// The composition root makes one, runs its ``components``, lets it hear identity's events and adds its routes.
struct ProviderParts: Sendable {
    struct Settings: Sendable {
        var flushInterval: Duration = .milliseconds(200)
        /// For how long a provider is offered at the last known place.
        var freshness: Duration = .seconds(120)
        /// Providers whose positions may wait to be written.
        var inboxLimit = 200_000

        init() {}

        init(_ configuration: ServiceConfiguration) throws {
            flushInterval = .milliseconds(try configuration[ProviderParts.flushKey])
            freshness = .seconds(try configuration[ProviderParts.freshnessKey])
        }
    }

    static let flushKey = ConfigurationKey<Int>(
        "positions.flush.milliseconds", "How often the positions of providers are written and told to other processes.",
        default: 200, in: 10...5_000)
    static let freshnessKey = ConfigurationKey<Int>(
        "positions.fresh.seconds", "How long a provider is offered to customers at the last known place.",
        default: 120, in: 5...3_600)
    static let keys = [flushKey.erased, freshnessKey.erased]

    /// The components of every process, and those of a process that answers requests.
    let components: [ServiceComponent]
    let answering: [ServiceComponent]
    let index: PositionIndex
    let inbox: PositionInbox
    let candidates: CandidateSearch
    private let catalogueRoutes: CatalogueRoutes
    private let providerRoutes: ProviderRoutes
    private let searchRoutes: SearchRoutes

    /// - Parameters:
    ///   - travelTimes: for lists of providers and for who follows one; asked while somebody waits for the answer.
    ///   - broker: makes the configuration of a connection, named after its purpose.
    ///   - announce: see ``AnnounceNearby/Announce``.
    init(
        pool: PostgresPool, markets: LiveMarkets, travelTimes: any TravelTimes, cursors: CursorSealer,
        words: ProblemCatalogue, settings: Settings = Settings(), clock: @escaping @Sendable () -> Date,
        logger: Logger, broker: (_ purpose: String) throws -> AMQPConfiguration,
        announce: @escaping AnnounceNearby.Announce
    ) throws {
        let freshness = settings.freshness / .seconds(1)
        let process = UUID.timeOrdered().text
        let index = PositionIndex()
        let inbox = PositionInbox(limit: settings.inboxLimit)
        self.index = index
        self.inbox = inbox
        (components, answering) = try Self.components(
            pool: pool, markets: markets, settings: settings, process: process, index: index, inbox: inbox,
            clock: clock, logger: logger, broker: broker, announce: announce)

        candidates = CandidateSearch(index: index, freshness: freshness, clock: clock)
        catalogueRoutes = CatalogueRoutes(markets: markets)
        providerRoutes = ProviderRoutes(
            markets: markets, replaceOfferings: ReplaceOfferings(pool: pool),
            listOfferings: ListProviderOfferings(pool: pool),
            switchAvailability: SwitchAvailability(pool: pool, markets: markets),
            findAvailability: FindAvailability(pool: pool), inbox: inbox, index: index, freshness: freshness,
            words: words, clock: clock)
        searchRoutes = SearchRoutes(
            markets: markets,
            findFreeProviders: FindFreeProviders(pool: pool, candidates: candidates, travelTimes: travelTimes),
            findNearbyPlaces: FindNearbyPlaces(pool: pool, candidates: candidates),
            trackOrder: TrackOrder(pool: pool, markets: markets, travelTimes: travelTimes), cursors: cursors)
    }

    /// Adds the handlers of what identity and wallet tell of people.
    static func register(
        in handlers: inout MessageHandlers, _ markets: LiveMarkets, clock: @escaping @Sendable () -> Date
    ) {
        PeopleProjection.register(in: &handlers, markets, clock: clock)
        AccountDeletionHandlers.register(in: &handlers, markets, clock: clock)
        SubscriptionProjection.register(in: &handlers)
        LinkProjection.register(in: &handlers)
        BanProjection.register(in: &handlers, clock: clock)
        BlockProjection.register(in: &handlers)
        PaymentMethodProjection.register(in: &handlers)
        PromoCodeProjection.register(in: &handlers)
        RepublishedPeopleHandlers.register(in: &handlers, markets)
        RepublishedMoneyHandlers.register(in: &handlers)
    }

    func addRoutes(to router: Router<SeraiRequestContext>) {
        catalogueRoutes.add(to: router)
        let group = router.group("dispatch/v1", context: AuthenticatedContext.self)
        providerRoutes.add(to: group)
        searchRoutes.add(to: group)
    }

    private static func components(
        pool: PostgresPool, markets: LiveMarkets, settings: Settings, process: String, index: PositionIndex,
        inbox: PositionInbox, clock: @escaping @Sendable () -> Date, logger: Logger,
        broker: (_ purpose: String) throws -> AMQPConfiguration,
        announce: @escaping AnnounceNearby.Announce
    ) throws -> (all: [ServiceComponent], answering: [ServiceComponent]) {
        let freshness = settings.freshness / .seconds(1)
        let publisher = Publisher(
            try broker("positions publisher"), topology: PositionTopology.exchange, logger: logger)
        let queue = "\(PositionTopology.queuePrefix)\(process)"
        let consumer = Consumer(
            try broker("positions consumer"), queue: queue, topology: PositionTopology.queue(queue), prefetch: 200,
            logger: logger)
        let feed = PositionFeed(
            index: index, consumer: consumer, pool: pool, freshness: freshness, process: process, clock: clock,
            logger: logger)
        let flusher = PositionFlusher(
            inbox: inbox, index: index,
            record: RecordPositions(pool: pool, markets: markets, freshness: freshness),
            announce: AnnounceNearby(pool: pool, announce: announce),
            broadcast: PositionBroadcast(publisher: publisher, process: process, logger: logger),
            interval: settings.flushInterval, logger: logger)
        let hearing = ServiceComponent("positions index", stage: .consumers, feed) { try await feed.loadAtStart() }
        return (
            [hearing],
            [
                ServiceComponent("positions publisher", stage: .publisher, PublisherRun(publisher: publisher)),
                ServiceComponent("positions flusher", stage: .background, flusher),
            ]
        )
    }
}
