import AMQP
import Foundation
import LiveMarkets
import Messaging
import PollThread
import Postgres
import ServiceKit

struct DispatchService: SeraiService {
    static let name = "dispatch"
    static let about = "Dispatch."
    static let keys: [AnyConfigurationKey] = ProviderParts.keys
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + LiveMarkets.migrations + [
            Migration(
                component: "dispatch", version: 1, name: "people",
                sql: String(decoding: PackageResources._001_people_sql, as: UTF8.self)),
            Migration(
                component: "dispatch", version: 2, name: "orders",
                sql: String(decoding: PackageResources._002_orders_sql, as: UTF8.self)),
            Migration(
                component: "dispatch", version: 3, name: "positions",
                sql: String(decoding: PackageResources._003_positions_sql, as: UTF8.self)),
        ]

    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        let (pool, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let markets = LiveMarkets(pool: pool, logger: bootstrap.logger)
        let providers = try ProviderParts(
            pool: pool, markets: markets, settings: ProviderParts.Settings(bootstrap.configuration),
            logger: bootstrap.logger, broker: bootstrap.broker(purpose:), announce: { _, _, _, _ in })

        var handlers = MessageHandlers()
        LiveMarkets.hear(in: &handlers)
        ProviderParts.hear(in: &handlers)
        let topology = ServiceTopology(service: name)
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: bootstrap.logger)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared,
            logger: bootstrap.logger)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, logger: bootstrap.logger)
        let http = try bootstrap.http(verifier: try await bootstrap.tokenVerifier()) { router in
            router.addOpenAPI(service: name, document: PackageResources.openapi_yaml)
            providers.addRoutes(to: router)
        }
        return [
            database, publishing,
            ServiceComponent("relay", stage: .relay, relay),
            ServiceComponent("markets", stage: .consumers, markets) { try await markets.refresh() },
            ServiceComponent("consumer", stage: .consumers, runner),
            http.component,
        ] + providers.components
    }
}
