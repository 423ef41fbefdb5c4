import AMQP
import Contracts
import Foundation
import Messaging
import PollThread
import Postgres
import ServiceKit

struct AdminService: SeraiService {
    static let name = "admin"
    static let about = "Settings of markets, the audit log, and what admins see of people, orders and money."
    static let keys: [AnyConfigurationKey] = []
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations + [
            migration(1, "admin", PackageResources._001_admin_sql),
            migration(2, "operators", PackageResources._002_operators_sql),
            .appendOnly(),
            migration(3, "reports", PackageResources._003_reports_sql),
            migration(4, "ended_orders", PackageResources._004_ended_orders_sql),
            migration(5, "acceptances", PackageResources._005_acceptances_sql),
            migration(6, "formers", PackageResources._006_formers_sql),
            migration(
                7, "settings_that_wait_for_a_second_admin",
                PackageResources._007_settings_that_wait_for_a_second_admin_sql),
        ]

    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]

    static let openAPI = PackageResources.openapi_yaml

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await assemble(bootstrap).components
    }

    private static func migration(_ version: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(component: Self.name, version: version, name: name, sql: String(decoding: sql, as: UTF8.self))
    }

    /// Everything that runs, and the server, which knows its port once it listens.
    static func assemble(
        _ bootstrap: ServiceBootstrap
    ) async throws -> (components: [ServiceComponent], server: HTTPServer) {
        let (pool, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let checks = try await bootstrap.tokenChecks(pool)
        var handlers = EventHandlers.all
        handlers.on(SessionsEnded.self) { received, transaction in
            checks.ended.keep(received.message.sessions, until: received.message.until, in: transaction)
        }
        let topology = ServiceTopology(service: name)
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: bootstrap.logger)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared,
            logger: bootstrap.logger)
        // Every event of every service comes here, and nobody waits for it. Of an order with several events in a batch
        // only the newest snapshot is written.
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = 1
        consuming.batchLimit = 200
        consuming.batchWindow = .milliseconds(200)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, configuration: consuming, logger: bootstrap.logger)
        let idempotency = try bootstrap.idempotencyStore(pool)
        let routes = AdminRoutes(pool: pool, sealer: try bootstrap.cursorSealer(), idempotency: idempotency)
        let http = try bootstrap.http(on: pool.thread, verifier: checks.verifier) { router in
            router.addOpenAPI(service: name, document: openAPI)
            routes.add(to: router)
        }
        let components =
            [
                database, publishing,
                ServiceComponent("relay", stage: .relay, relay),
                ServiceComponent("consumer", stage: .consumers, runner),
                ServiceComponent(
                    "idempotency purge", stage: .background,
                    IdempotencyPurge(idempotency, logger: bootstrap.logger)),
                http.component,
            ] + checks.components
        return (components, http.server)
    }
}
