import AMQP
import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceLifecycle
import TestKit

/// Another service that runs by the settings: it hears them as dispatch and wallet do.
struct SettingListener {
    let pool: PostgresPool
    let markets: LiveMarkets

    static func running(_ broker: VirtualHost, _ body: (SettingListener) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(MessagingMigrations.all + LiveMarkets.migrations) { database in
            try await database.withPool { pool async throws in
                var handlers = MessageHandlers()
                LiveMarkets.register(in: &handlers)
                let topology = ServiceTopology(service: "dispatch")
                let declared = topology.events(handlers.names)
                let publisher = Publisher(
                    try AMQPConfiguration(url: broker.url, connectionName: "listener publisher"), topology: declared,
                    logger: TestThreads.logger)
                let consumer = Consumer(
                    try AMQPConfiguration(url: broker.url, connectionName: "listener consumer"),
                    queue: topology.eventsQueue, topology: declared, logger: TestThreads.logger)
                let runner = ConsumerRunner(
                    queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool,
                    handlers: handlers, topology: topology, logger: TestThreads.logger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await publisher.run() }
                    group.addTask { try await runner.run() }
                    try await body(
                        SettingListener(pool: pool, markets: LiveMarkets(pool: pool, logger: TestThreads.logger)))
                    group.cancelAll()
                }
            }
        }
    }

    func settings() async throws -> MarketSettings? {
        try await markets.refresh()
        return markets.settings(of: "assef")
    }

    func market() async throws -> Market? {
        try await markets.refresh()
        return markets.named("assef")
    }

    func versions() async throws -> [String: Int] {
        Dictionary(try await pool.query(ListVersions())) { first, _ in first }
    }
}

private struct ListVersions: Statement {
    static let sql: SQL = "SELECT key, version FROM market_settings WHERE market = 'assef'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (String, Int) {
        (try row.next(), try row.next())
    }
}
