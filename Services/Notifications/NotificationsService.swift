import AMQP
import ArgumentParser
import AsyncHTTPClient
import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// The composition root.
struct NotificationsService: RebuildingService {
    static let name = "notifications"
    static let about = "Tells people what concerns them: a live stream and an inbox for each account."
    static let keys = NotificationsConfiguration.keys
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations + LiveMarkets.migrations + [
            Migration(
                component: "notifications", version: 1, name: "notifications",
                sql: String(decoding: PackageResources._001_notifications_sql, as: UTF8.self)),
            Migration(
                component: "notifications", version: 2, name: "deliveries",
                sql: String(decoding: PackageResources._002_deliveries_sql, as: UTF8.self)),
            Migration(
                component: "notifications", version: 3, name: "delivery_channels",
                sql: String(decoding: PackageResources._003_delivery_channels_sql, as: UTF8.self)),
            Migration(
                component: "notifications", version: 4, name: "what_each_was_told",
                sql: String(decoding: PackageResources._004_what_each_was_told_sql, as: UTF8.self)),
        ]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]

    static let commands: [any AsyncParsableCommand.Type] = [RebuildCommand<Self>.self]

    static let copies = [
        CopiedKind("people", from: "identity republish --only accounts") { pool in
            try await pool.executeInBatches(of: DoubtPeople.limit, DoubtPeople())
        },
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) },
    ]

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        let limits = try NotificationsConfiguration.limits(bootstrap.configuration)
        return try await compose(bootstrap, hub: StreamHub(limits: limits))
    }

    static func compose(_ bootstrap: ServiceBootstrap, hub: StreamHub) async throws -> [ServiceComponent] {
        let (pool, database) = try bootstrap.database(
            on: PollThread(name: "postgres"), settings: PostgresConfiguration.plansMadeOnce)
        let inboxTexts = InboxTexts(catalogue: bootstrap.catalogue)
        let idempotency = try bootstrap.idempotencyStore(pool)
        let sealer = try bootstrap.cursorSealer()
        let checks = try await bootstrap.tokenChecks(pool)
        let http = try bootstrap.http(on: pool.thread, verifier: checks.verifier) { router in
            let list = ListInbox(pool: pool, texts: inboxTexts, sealer: sealer)
            addRoutes(
                to: router, inbox: InboxRoutes(pool: pool, list: list, idempotency: idempotency),
                stream: StreamRoute(hub: hub, pool: pool))
        }
        let markets = LiveMarkets(pool: pool, logger: bootstrap.logger)
        return try [database] + checks.components + hearing(bootstrap, pool, hub, markets, checks.ended)
            + delivering(bootstrap, pool)
            + streaming(
                bootstrap, pool, hub, StreamTexts(inbox: inboxTexts, logger: bootstrap.logger), checks.ended, markets)
            + [
                ServiceComponent("markets", stage: .relay, markets) { try await markets.loaded() },
                ServiceComponent(
                    "idempotency purge", stage: .background, IdempotencyPurge(idempotency, logger: bootstrap.logger)),
                http.component,
                // After the server, so that it stops before it: the server waits for its requests.
                ServiceComponent("stream closer", stage: .http, StreamCloser(hub: hub, thread: pool.thread)),
            ]
    }

    static func addRoutes(to router: Router<SeraiRequestContext>, inbox: InboxRoutes, stream: StreamRoute) {
        router.addOpenAPI(service: name, document: PackageResources.openapi_yaml)
        let group = router.group("notifications/v1", context: AuthenticatedContext.self)
        inbox.add(to: group)
        stream.add(to: group)
    }

    /// What hears others.
    private static func hearing(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ hub: StreamHub, _ markets: LiveMarkets,
        _ ended: EndedSessions
    ) throws -> [ServiceComponent] {
        let logger = bootstrap.logger
        let topology = ServiceTopology(service: name)
        var handlers = NotificationHandlers.handlers(hub, markets)
        LiveMarkets.register(in: &handlers)
        handlers.on(SessionsEnded.self) { received, transaction in
            ended.keep(received.message.sessions, until: received.message.until, in: transaction)
        }
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared, logger: logger)
        // One transaction at a time: what comes meanwhile is its next batch, so the busier, the less each costs.
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = 1
        consuming.batchLimit = 200
        consuming.batchSpacing = .milliseconds(20)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, configuration: consuming, logger: logger)
        let queue = "\(name).positions.\(UUID.timeOrdered().text)"
        let positions = Consumer(
            try bootstrap.broker(purpose: "positions"), queue: queue, topology: PositionFeed.topology(queue: queue),
            logger: logger)
        return [
            publishing,
            ServiceComponent("events", stage: .consumers, runner),
            ServiceComponent(
                "positions", stage: .consumers, PositionFeed(consumer: positions, hub: hub, logger: logger)),
        ]
    }

    /// What sends mails and SMS.
    private static func delivering(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool
    ) throws -> [ServiceComponent] {
        let client = DeliveryGateways.makeClient()
        let sender = DeliverySender(
            pool: pool,
            gateways: DeliveryGateways(
                client: client, urls: try NotificationsConfiguration.gateways(bootstrap.configuration)),
            seal: DeliverySeal(secret: try bootstrap.configuration[DeliverySeal.key]), catalogue: bootstrap.catalogue,
            logger: bootstrap.logger)
        let closing = ClosingService {
            // try?: the process ends; what the client still holds ends with it.
            try? await client.shutdown()
        }
        return [
            ServiceComponent("delivery client", stage: .database, closing),
            ServiceComponent("deliveries", stage: .background, sender),
        ]
    }

    /// What keeps the streams going.
    private static func streaming(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ hub: StreamHub, _ texts: StreamTexts,
        _ ended: EndedSessions, _ markets: LiveMarkets
    ) throws -> [ServiceComponent] {
        let logger = bootstrap.logger
        let keepDays = try bootstrap.configuration[NotificationsConfiguration.keepDays]
        let parts: [(String, any Service)] = [
            ("stream reader", StreamReader(hub: hub, pool: pool, texts: texts, logger: logger)),
            ("stream signals", StreamSignals(hub: hub, pool: pool, logger: logger)),
            ("stream watch", StreamWatch(hub: hub, pool: pool, ended: ended, logger: logger)),
            (
                "stream purge",
                StreamPurge(
                    pool: pool, markets: markets, keepSeconds: Double(keepDays) * 86_400, logger: logger)
            ),
            ("name removal", NameRemoval(pool: pool, logger: logger)),
        ]
        return parts.map { ServiceComponent($0.0, stage: .background, $0.1) }
    }
}
