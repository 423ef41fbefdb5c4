import AMQP
import Contracts
public import Foundation
public import Hummingbird
import Messaging
import PollThread
public import Postgres

/// A service put together: the pool, token checks, topology, publisher, relay, consumer, dead messages, deadlines,
/// idempotency, health and the HTTP server around its features.
public struct ServiceAssembly<Service: FeatureService>: Sendable {
    public let base: ServiceBase
    public let parts: Service.Parts
    public let server: HTTPServer
    /// Everything that has to run. Each has its stage; within a stage they start in this order.
    public let components: [ServiceComponent]

    /// - Parameters:
    ///   - clock: the time, for everything but the checks of access tokens.
    ///   - makeParts: makes what the features share; another one in tests.
    public init(
        _ bootstrap: ServiceBootstrap, clock: @escaping @Sendable () -> Date = { Date() },
        parts makeParts: (ServiceBase) async throws -> Service.Parts = Service.parts
    ) async throws {
        let role = try Service.role(bootstrap.configuration)
        let (pool, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let checks = try await bootstrap.tokenChecks(pool)
        base = ServiceBase(
            bootstrap: bootstrap, pool: pool, ended: checks.ended, idempotency: try bootstrap.idempotencyStore(pool),
            cursors: try bootstrap.cursorSealer(), clock: clock)
        parts = try await makeParts(base)
        let features = try Service.features(parts)

        let (server, serving) = try bootstrap.http(
            on: pool.thread, verifier: checks.verifier, uploads: Self.merged(features.map(\.uploads))
        ) { [base] router in
            guard role.servesHTTP else { return }
            Self.addRoutes(of: features, pool: base.pool, clock: base.clock, to: router)
        }
        self.server = server
        var components = [database] + checks.components + features.flatMap(\.components)
        components += try Self.messaging(base, features, role)
        components.append(serving)
        if role.servesHTTP { components += features.flatMap(\.serving) }
        if role.runsWorkers { components += Self.working(base, features) }
        self.components = components
    }

    /// The routes of a service, for its server and for tests without sockets.
    public static func addRoutes(
        of features: [Feature], pool: PostgresPool, clock: @escaping @Sendable () -> Date = { Date() },
        to router: Router<SeraiRequestContext>
    ) {
        router.addOpenAPI(service: Service.name, document: Service.openAPI)
        router.add(middleware: KeyBoundaryMiddleware(owners: merged(features.map(\.keyOwners))))
        router.add(
            middleware: RecordReadMiddleware(Service.recordedReads) { read in
                let now = clock()
                try await pool.withTransaction { try Service.record(read, at: now, in: $0) }
            })
        let routes = ServiceRoutes(router, service: Service.name)
        for feature in features { feature.routes(routes) }
    }

    /// Publishes through the outbox relay; workers consume events and commands.
    private static func messaging(
        _ base: ServiceBase, _ features: [Feature], _ role: ServiceRole
    ) throws -> [ServiceComponent] {
        let (bootstrap, logger) = (base.bootstrap, base.bootstrap.logger)
        let handlers = eventHandlers(base.ended, features)
        let topology = ServiceTopology(service: Service.name)
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        var components = [publishing]
        if let configuration = Service.relaying {
            let relay = Relay(
                pool: base.pool, publisher: publisher, producer: Service.name, configuration: configuration,
                logger: logger)
            components.append(ServiceComponent("relay", stage: .relay, relay))
        }
        guard role.runsWorkers else { return components }

        func consume(
            _ name: String, _ queue: String, _ topologyOfQueue: Topology, _ handlers: MessageHandlers,
            _ configuration: ConsumerRunner.Configuration, prefetch: Int?
        ) throws -> ServiceComponent {
            let broker = try bootstrap.broker(purpose: name)
            let consumer =
                if let prefetch {
                    Consumer(broker, queue: queue, topology: topologyOfQueue, prefetch: prefetch, logger: logger)
                } else { Consumer(broker, queue: queue, topology: topologyOfQueue, logger: logger) }
            let runner = ConsumerRunner(
                queue: queue, consumer: consumer, publisher: publisher, pool: base.pool, handlers: handlers,
                topology: topology, configuration: configuration, logger: logger)
            return ServiceComponent(name, stage: .consumers, runner)
        }
        components.append(
            try consume("consumer", topology.eventsQueue, declared, handlers, Service.consuming, prefetch: nil))
        for commands in features.compactMap(\.commands) {
            components.append(
                try consume(
                    "commands", topology.commandsQueue, topology.commands(commands.handlers.names), commands.handlers,
                    commands.configuration, prefetch: commands.prefetch))
        }
        let queues = [topology.eventsQueue] + (features.contains { $0.commands != nil } ? [topology.commandsQueue] : [])
        let keeper = try DeadMessageKeeper(
            queues: queues, topology: topology, broker: { try bootstrap.broker(purpose: $0) }, publisher: publisher,
            pool: base.pool, logger: logger)
        components.append(ServiceComponent("dead messages", stage: .consumers, keeper))
        return components
    }

    /// Every service hears which sessions have ended.
    private static func eventHandlers(_ ended: EndedSessions, _ features: [Feature]) -> MessageHandlers {
        var handlers = MessageHandlers()
        // Identity ends them itself, in the transactions that publish this.
        if Service.name != SessionsEnded.name.service {
            handlers.on(SessionsEnded.self) { received, transaction in
                ended.keep(received.message.sessions, until: received.message.until, in: transaction)
                for feature in features { feature.sessionsEnded(received.message, transaction) }
            }
        }
        for feature in features { feature.handlers(&handlers) }
        return handlers
    }

    private static func working(_ base: ServiceBase, _ features: [Feature]) -> [ServiceComponent] {
        let logger = base.bootstrap.logger
        let deadlines = features.filter { !$0.deadlines.isEmpty }.map { feature in
            ServiceComponent(
                "\(feature.name) deadlines", stage: .background,
                DeadlineRunner(pool: base.pool, handlers: feature.deadlines, logger: logger))
        }
        let purge = ServiceComponent(
            "idempotency purge", stage: .background, IdempotencyPurge(base.idempotency, logger: logger))
        let watch = ServiceComponent(
            "late deadlines", stage: .background, DeadlineWatch(pool: base.pool, logger: logger))
        return deadlines + [watch, purge] + features.flatMap(\.working)
    }

    /// Two values for one key are a mistake of the program; the first counts.
    private static func merged<Key, Value>(_ tables: [[Key: Value]]) -> [Key: Value] {
        tables.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}
