import AMQP
import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit

/// The service put together: what it is made of, and what of it runs.
struct DispatchParts {
    let pool: PostgresPool
    let markets: LiveMarkets
    let orders: OrderOperations
    let providers: ProviderParts
    let places: PlaceParts
    let http: HTTPServer
    let rounds: RunRound
    /// What has to run, in no order: each has its stage.
    let components: [ServiceComponent]

    init(_ bootstrap: ServiceBootstrap) async throws {
        let logger = bootstrap.logger
        let role = try bootstrap.configuration[DispatchRole.key]
        let (pool, database) = try bootstrap.database(
            on: PollThread(name: "postgres"), settings: PostgresConfiguration.plansMadeOnce)
        let markets = LiveMarkets(pool: pool, logger: logger)
        let settings = try ProviderParts.Settings(bootstrap.configuration)
        let orders = OrderOperations(markets: markets, freshness: settings.freshness / .seconds(1))
        let idempotency = try bootstrap.idempotencyStore(pool)
        let orderRoutes = OrderRoutes(
            operations: orders, reader: OrderReader(pool: pool), idempotency: idempotency,
            cursors: try bootstrap.cursorSealer())
        let outside = try PlaceParts.Outside(bootstrap.configuration, logger: logger)
        let providers = try ProviderParts(
            pool: pool, markets: markets, travelTimes: outside.travelTimes, settings: settings, logger: logger,
            broker: bootstrap.broker(purpose:)
        ) { order, metresLeft, secondsLeft, transaction in
            try await orders.comeNear(
                order, metresLeft: metresLeft, secondsLeft: secondsLeft, at: Date(), in: transaction)
        }

        let visits = OrderVisit(orderCare: orders.orderCare)
        let places = PlaceParts(
            pool: pool, markets: markets, candidates: providers.candidates,
            outside: outside, idempotency: idempotency, cursors: try bootstrap.cursorSealer(),
            catalogue: bootstrap.catalogue,
            requestVisit: { try await visits.request($0, $1, now: $2, in: $3) },
            checkVisit: { try await visits.check($0, at: $1, now: $2, in: $3) })

        let checks = try await bootstrap.tokenChecks(pool)
        let handlers = Self.handlers(checks.ended, orders)

        let hires = HireRoutes(
            orders: orderRoutes, markets: markets,
            run: RunHire(
                hire: HireBike(signingKey: Array(try bootstrap.configuration[CommonKeys.signingKey].revealed.utf8)),
                change: ChangeOrder(markets: markets)))
        let (http, serving) = try bootstrap.http(
            on: pool.thread, verifier: checks.verifier, uploads: [PhotoRoutes.path: UploadPhoto.maximumBytes]
        ) { router in
            // Of a worker only its health and its figures are asked for.
            guard role.servesHTTP else { return }
            router.addOpenAPI(service: DispatchService.name, document: PackageResources.openapi_yaml)
            router.add(middleware: DispatchReads.middleware(pool))
            orderRoutes.add(to: router)
            let group = router.group("dispatch/v1", context: AuthenticatedContext.self)
            BoardRoutes(orders: orderRoutes, markets: markets).add(to: group)
            RideRoutes(orders: orderRoutes, markets: markets).add(to: group)
            MealRoutes(orders: orderRoutes, markets: markets).add(to: group)
            CareRoutes(orders: orderRoutes, markets: markets).add(to: group)
            providers.addRoutes(to: router)
            places.addRoutes(to: router)
            hires.add(to: router)
            PhotoRoutes(orders: orderRoutes, metrics: bootstrap.registry).add(to: router)
        }

        self.pool = pool
        self.markets = markets
        self.orders = orders
        self.providers = providers
        self.places = places
        self.http = http
        rounds = RunRound(
            pool: pool, markets: markets,
            candidates: RoundCandidates(
                pool: pool, index: providers.index, freshness: providers.candidates.freshness),
            travelTimes: places.travelTimes, offer: orders.offer, endWindow: orders.endWindow)
        components =
            try Self.messaging(bootstrap, pool, handlers, role) + checks.components + providers.components
            + places.components
            + [
                database,
                ServiceComponent("markets", stage: .relay, markets) { try await markets.loaded() },
                ServiceComponent(
                    "round call", stage: .background, RoundNotifier(pool: pool, logger: logger)),
                serving,
            ]
            + (role.servesHTTP ? providers.answering : [])
            + (role.runsWorkers ? try Self.working(bootstrap, pool, markets, rounds, orders, places, idempotency) : [])
    }

    private static func handlers(_ ended: EndedSessions, _ orders: OrderOperations) -> MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(SessionsEnded.self) { received, transaction in
            ended.keep(received.message.sessions, until: received.message.until, in: transaction)
        }
        LiveMarkets.register(in: &handlers)
        ProviderParts.register(in: &handlers)
        PaymentHandlers.add(to: &handlers, orders.recordPayment, orders.recordRefund)
        DepositHandlers.add(to: &handlers, orders.recordDeposit)
        ReportHandlers.add(to: &handlers, orders.decide)
        return handlers
    }

    /// What a worker runs besides: rounds, deadlines, and what is cleaned up.
    private static func working(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ markets: LiveMarkets, _ rounds: RunRound,
        _ orders: OrderOperations, _ places: PlaceParts, _ idempotency: IdempotencyStore
    ) throws -> [ServiceComponent] {
        let logger = bootstrap.logger
        let deadlines = OrderDeadlines.handlers(orders.endWindow, orders.endBanned)
            .merging(places.deadlineHandlers) { own, _ in own }
        return [
            ServiceComponent(
                "rounds", stage: .background,
                RoundRunner(
                    pool: pool, round: rounds, lanes: try bootstrap.configuration[DispatchRole.lanesKey],
                    logger: logger)),
            ServiceComponent(
                "deadlines", stage: .background, DeadlineRunner(pool: pool, handlers: deadlines, logger: logger)),
            ServiceComponent(
                "retention", stage: .background, RetentionPass(pool: pool, markets: markets, logger: logger)),
            ServiceComponent("idempotency purge", stage: .background, IdempotencyPurge(idempotency, logger: logger)),
        ]
    }

    /// What it says goes out through the relay; what it hears comes in through the consumer of a worker.
    private static func messaging(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ handlers: MessageHandlers, _ role: DispatchRole
    ) throws -> [ServiceComponent] {
        let logger = bootstrap.logger
        let topology = ServiceTopology(service: DispatchService.name)
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        var relaying = Relay.Configuration()
        relaying.spacing = .milliseconds(10)
        let relay = Relay(
            pool: pool, publisher: publisher, producer: DispatchService.name, configuration: relaying, logger: logger)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared, logger: logger)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, logger: logger)
        return [publishing, ServiceComponent("relay", stage: .relay, relay)]
            + (role.runsWorkers ? [ServiceComponent("consumer", stage: .consumers, runner)] : [])
    }
}
