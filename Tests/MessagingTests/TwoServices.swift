import AMQP
import Foundation
import Logging
import Messaging
import Postgres
import Locks
import TestKit

/// Something that happened in the service `orders` of these tests.
struct OrderPlaced: Message {
    static let name: MessageName = "orders.order.placed.v1"
    let order: String
    let number: Int
    var aggregate: String { order }
}

/// Of a later version of `orders`, which nobody here reads.
struct OrderArchived: Message {
    static let name: MessageName = "orders.order.archived.v1"
    let order: String
    var aggregate: String { order }
}

struct OrderNoted: Message {
    static let name: MessageName = "orders.order.noted.v1"
    static let needsReader = false
    let order: String
    var aggregate: String { order }
}

/// Asked of the service `ledger`.
struct HoldMoney: Message {
    static let name: MessageName = "ledger.money.hold.v1"
    static let kind = MessageKind.command
    let order: String
    let amount: Int
    var aggregate: String { order }
}

/// Told by `ledger` when it has recorded an order.
struct OrderRecorded: Message {
    static let name: MessageName = "ledger.order.recorded.v1"
    static let needsReader = false
    let order: String
    var aggregate: String { order }
}

let effectsMigration = Migration(
    component: "test", version: 1, name: "effects",
    sql: """
        CREATE TABLE effects (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, number bigint NOT NULL);
        CREATE TABLE placed (name text NOT NULL, number bigint NOT NULL);
        """)

struct InsertEffect: Statement {
    static let sql: SQL = "INSERT INTO effects (name, number) VALUES ($1, $2)"
    let name: String
    let number: Int
    func bind(_ bindings: inout Bindings) { bindings.append(name, number) }
}

struct InsertPlaced: Statement {
    static let sql: SQL = "INSERT INTO placed (name, number) VALUES ($1, $2)"
    let name: String
    let number: Int
    func bind(_ bindings: inout Bindings) { bindings.append(name, number) }
}

struct Effects: Statement {
    static let sql: SQL = "SELECT name, number FROM effects ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Effect {
        Effect(name: try row.next(), number: try row.next())
    }
}

struct Effect: Sendable, Hashable {
    let name: String
    let number: Int
}

struct UnpublishedCount: Statement {
    static let sql: SQL = "SELECT count(*) FROM outbox WHERE published_at IS NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct UnpublishedNames: Statement {
    static let sql: SQL = "SELECT name FROM outbox WHERE published_at IS NULL ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct OutboxCausations: Statement {
    static let sql: SQL = "SELECT causation, traceparent FROM outbox ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (UUID?, String?) {
        (try row.next(), try row.next())
    }
}

/// The services `orders` and `ledger`, each with a database of its own, on one virtual host.
struct TwoServices: Sendable {
    let orders: PostgresPool
    let ledger: PostgresPool
    let ordersDatabase: TestDatabase
    let ledgerDatabase: TestDatabase
    let host: VirtualHost

    static let migrations = MessagingMigrations.all + [effectsMigration]
    /// Short, so that tests of retries end soon.
    static let topology = ServiceTopology(
        service: "ledger", retryDelays: [.milliseconds(50), .milliseconds(100)], parkedDelay: .milliseconds(150))

    static func run(_ body: (TwoServices) async throws -> Void) async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(migrations) { first in
                try await TestDatabase.withDatabase(migrations) { second in
                    try await first.withPool { orders in
                        try await second.withPool(maximum: 8) { ledger in
                            try await body(
                                TwoServices(
                                    orders: orders, ledger: ledger, ordersDatabase: first, ledgerDatabase: second,
                                    host: host))
                        }
                    }
                }
            }
        }
    }

    func configuration(_ name: String) throws -> AMQPConfiguration {
        try AMQPConfiguration(url: host.url, connectionName: name)
    }

    /// Runs the relay of `orders` and its publisher while `body` runs.
    func withRelay(
        topology: Topology = ServiceTopology(service: "orders").exchanges,
        _ adjust: (inout Relay.Configuration) -> Void = { _ in }, logger: Logger = TestThreads.logger,
        _ body: () async throws -> Void
    ) async throws {
        let publisher = Publisher(try configuration("orders publish"), topology: topology, logger: TestThreads.logger)
        var settings = Relay.Configuration()
        settings.publishTimeout = .seconds(5)
        adjust(&settings)
        let relay = Relay(
            pool: orders, publisher: publisher, producer: "orders", configuration: settings, logger: logger)
        try await whileRunning([{ try await publisher.run() }, { try await relay.run() }], body)
    }

    /// Runs a consumer of `ledger` and the publisher for its failures while `body` runs.
    func withConsumer(
        queue: String = topology.eventsQueue, _ handlers: MessageHandlers,
        _ adjust: (inout ConsumerRunner.Configuration) -> Void = { _ in }, _ body: () async throws -> Void
    ) async throws {
        let (runner, publisher, consumer) = try makeConsumer(queue: queue, handlers, adjust)
        try await whileRunning([{ try await publisher.run() }, { try await runner.run() }]) {
            // What is published while another connection still starts the queue is refused.
            try await eventually("the queues have started") { publisher.isConnected && consumer.isConsuming }
            try await body()
        }
    }

    func makeConsumer(
        queue: String = topology.eventsQueue, _ handlers: MessageHandlers,
        _ adjust: (inout ConsumerRunner.Configuration) -> Void = { _ in }
    ) throws -> (ConsumerRunner, Publisher, Consumer) {
        let declared =
            queue == Self.topology.eventsQueue
            ? Self.topology.events(handlers.names) : Self.topology.commands(handlers.names)
        let publisher = Publisher(try configuration("ledger publish"), topology: declared, logger: TestThreads.logger)
        let consumer = Consumer(
            try configuration("ledger consume"), queue: queue, topology: declared, prefetch: 100,
            logger: TestThreads.logger)
        var settings = ConsumerRunner.Configuration()
        adjust(&settings)
        let runner = ConsumerRunner(
            queue: queue, consumer: consumer, publisher: publisher, pool: ledger, handlers: handlers,
            topology: Self.topology, configuration: settings, logger: TestThreads.logger)
        return (runner, publisher, consumer)
    }

    /// While `body` runs somebody has bound a queue for the message, who was not there before.
    func withLateQueue(for name: MessageName, of exchange: String, _ body: () async throws -> Void) async throws {
        try await host.declareQueue("late")
        let publisher = Publisher(
            try configuration("late"),
            topology: Topology(bindings: [Binding(queue: "late", exchange: exchange, routingKey: name.text)]),
            logger: TestThreads.logger)
        try await whileRunning([{ try await publisher.run() }], body)
    }

    /// The names of the messages that wait in the outbox.
    func waiting() async throws -> [String] { try await orders.query(UnpublishedNames()) }

    func effects() async throws -> [Effect] { try await ledger.query(Effects()) }

    func place(_ order: String, _ number: Int) async throws {
        try await orders.withTransaction { transaction in
            transaction.send(InsertPlaced(name: order, number: number))
            try transaction.publish(OrderPlaced(order: order, number: number))
        }
    }
}

/// Runs the services in the background while `body` runs, and ends them afterwards.
func whileRunning(
    _ services: [@Sendable () async throws -> Void], _ body: () async throws -> Void
) async throws {
    let tasks = services.map { service in Task { try await service() } }
    defer { for task in tasks { task.cancel() } }
    try await body()
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
}

/// Records what an operation saw: handlers have no other effect outside their transaction in these tests.
final class Seen<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func append(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
    var count: Int { values.withLock { $0.count } }
}

/// The usual operation: write the message down.
func recording() -> MessageHandlers {
    var handlers = MessageHandlers()
    handlers.on(OrderPlaced.self) { received, transaction in
        transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
    }
    return handlers
}
