import AMQP
import Contracts
import Foundation
import JWTKit
import LiveMarkets
import Logging
import Messaging
import PollThread
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

/// The service's database and broker, tokens for whomever, and somebody who publishes the others' events.
final class World: Sendable {
    let database: TestDatabase
    let broker: VirtualHost
    let tokens: AccessTokenSigner
    let publisher: Publisher
    let pool: PostgresPool
    private let published = Mutex<Set<UUID>>([])

    static let issuer = "https://serai.test/identity"

    static func run(_ body: (World) async throws -> Void) async throws {
        let tokens = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        try await TestBroker.withVirtualHost { broker in
            let (migrations, schema) = (NotificationsService.migrations, NotificationsService.name)
            try await TestDatabase.withDatabase(migrations, schema: schema) { database in
                let thread = PollThread(name: "world")
                defer { thread.stop() }
                var settings = PostgresPool.Configuration(
                    PostgresConfiguration(dsn: database.dsn, schema: NotificationsService.name))
                settings.maximumConnections = 3
                let pool = PostgresPool(settings, thread: thread, logger: TestThreads.logger)
                let publisher = Publisher(
                    try AMQPConfiguration(url: broker.url, connectionName: "world"), topology: topology,
                    logger: TestThreads.logger)
                let publishing = Task { try await publisher.run() }
                defer { publishing.cancel() }
                let world = World(
                    database: database, broker: broker, tokens: tokens, publisher: publisher, pool: pool)
                do {
                    try await body(world)
                } catch {
                    await pool.close()
                    throw error
                }
                await pool.close()
            }
        }
    }

    /// The exchanges of those who tell.
    private static let topology = Topology(
        exchanges: ["identity", "dispatch", "wallet", "admin"].map { Exchange($0, .topic) } + [
            Exchange(ProviderPositions.exchange, .fanout, isDurable: false),
            Exchange(FriendPlaces.exchange, .fanout, isDurable: false),
        ])

    private init(
        database: TestDatabase, broker: VirtualHost, tokens: AccessTokenSigner, publisher: Publisher, pool: PostgresPool
    ) {
        self.database = database
        self.broker = broker
        self.tokens = tokens
        self.publisher = publisher
        self.pool = pool
    }

    // MARK: The others

    /// Publishes an event as its service's relay would, and waits until the broker has it.
    /// - Parameter id: the same for repeats.
    func publish<M: Message>(_ message: M, id: UUID = .timeOrdered()) async throws {
        published.withLock { _ = $0.insert(id) }
        let outbound = OutboundMessage(
            exchange: M.name.service, routingKey: M.name.text, body: try JSON.wire.encode(message),
            properties: MessageProperties(
                messageID: id.text, type: M.name.text, timestampSeconds: UInt64(Date().timeIntervalSince1970),
                correlationID: message.aggregate, appID: M.name.service, contentType: "application/json"))
        try await publisher.publish(outbound, deadline: .now + .seconds(20))
    }

    /// Publishes a body that no service would.
    func publishRaw(_ body: String, name: String) async throws {
        let outbound = OutboundMessage(
            exchange: String(name.prefix { $0 != "." }), routingKey: name, body: Array(body.utf8),
            properties: MessageProperties(messageID: UUID.timeOrdered().text, type: name))
        try await publisher.publish(outbound, deadline: .now + .seconds(20))
    }

    func publish(_ positions: ProviderPositions) async throws {
        try await publishPositions(try JSON.wire.text(positions))
    }

    func publish(_ places: FriendPlaces) async throws {
        try await publishPositions(try JSON.wire.text(places), to: FriendPlaces.exchange)
    }

    func publishPositions(_ body: String, to exchange: String = ProviderPositions.exchange) async throws {
        let outbound = OutboundMessage(
            exchange: exchange, routingKey: "", body: Array(body.utf8),
            isMandatory: false, isPersistent: false)
        try await publisher.publish(outbound, deadline: .now + .seconds(20))
    }

    func token(
        _ account: UUID, session: UUID = .timeOrdered(), lifetime: Double = 600, language: String? = nil,
        issuer: String = issuer
    ) async throws -> String {
        let now = Date().timeIntervalSince1970
        return try await tokens.sign(
            AccessTokenClaims(
                sub: account.text, iss: issuer, aud: "serai", exp: now + lifetime, iat: now - 1000, roles: [],
                sid: session.text, locale: language))
    }

    func purge(keepSeconds: Double) async throws {
        try await StreamPurge(
            pool: pool, markets: LiveMarkets(pool: pool, logger: TestThreads.logger), keepSeconds: keepSeconds,
            clock: { Date() }, logger: TestThreads.logger
        ).purge(at: Date())
    }

    /// Takes the names of people who are gone out of inboxes, as far as no process does.
    func removeNames() async throws {
        try await NameRemoval(pool: pool, logger: TestThreads.logger).removeAll()
    }

    /// Waits until every event published so far has been handled.
    func settle() async throws {
        let count = published.withLock { $0.count }
        try await eventually("all events are handled", value: { try await pool.first(CountHandled()) }) { $0 == count }
    }

    // MARK: Processes

    /// Runs a process of the service while `body` runs.
    func withProcess<R>(
        _ settings: [String: String] = [:], adjust: (inout StreamLimits) -> Void = { _ in },
        _ body: (NotificationsProcess) async throws -> R
    ) async throws -> R {
        let process = try await NotificationsProcess.start(self, settings, adjust)
        do {
            let value = try await body(process)
            try await process.stop()
            return value
        } catch {
            // The test's own failure is the one to tell.
            try? await process.stop()
            throw error
        }
    }
}

/// How many messages have had their effect.
struct CountHandled: Statement {
    static let sql: SQL = "SELECT count(*) FROM inbox"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
