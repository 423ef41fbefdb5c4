import AMQP
import Foundation
import Messaging
import PollThread
import Postgres
import Synchronization
import TestKit

/// Two services with a database, a pool and connections each, as two processes would have them: one takes orders and
/// tells of them, the other writes a receipt for each it hears of.
final class OutboxServices: Sendable {
    let orders: PostgresPool
    let receipts: PostgresPool
    /// Events whose transaction is committed.
    let told = Atomic(0)
    /// Events whose handling has begun; one that is tried again counts again.
    let handled = Atomic(0)

    private init(orders: PostgresPool, receipts: PostgresPool) {
        self.orders = orders
        self.receipts = receipts
    }

    /// The signal that the receipt of an order has been committed.
    func receiptWritten(_ order: UUID) -> Signal { receipts.signal(Self.signalName(order)) }

    private static func signalName(_ order: UUID) -> String { "bench.receipt.\(order.text)" }

    // MARK: Handlers

    /// A row for each event.
    /// - Parameter raisesSignals: whether ``receiptWritten(_:)`` is raised.
    func oneByOne(raisesSignals: Bool) -> MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(OrderPlaced.self) { try await self.write($0.message, $1, raisesSignals: raisesSignals) }
        return handlers
    }

    private func write(_ event: OrderPlaced, _ transaction: PostgresTransaction, raisesSignals: Bool) async throws {
        handled.wrappingAdd(1, ordering: .relaxed)
        transaction.send(InsertReceipt(order: event))
        if raisesSignals { transaction.raiseAfterCommit(Self.signalName(event.order)) }
    }

    /// The rows of a batch with one statement.
    func together() -> MessageHandlers {
        var handlers = MessageHandlers()
        handlers.onBatch(OrderPlaced.self) { try await self.write($0.map(\.message), $1) }
        return handlers
    }

    private func write(_ events: [OrderPlaced], _ transaction: PostgresTransaction) async throws {
        handled.wrappingAdd(events.count, ordering: .relaxed)
        transaction.send(InsertReceipts(orders: events))
    }

    // MARK: Running

    /// Runs both services, with databases and a virtual host of their own, and ends them after the body.
    static func run<R: Sendable>(
        connections: Int, prefetch: Int, consumer settings: ConsumerRunner.Configuration,
        handlers: (OutboxServices) -> MessageHandlers, _ body: (OutboxServices) async throws -> R
    ) async throws -> R {
        try await withPool("orders", connections) { orders in
            try await withPool("receipts", connections) { receipts in
                try await TestBroker.withVirtualHost { host in
                    let services = OutboxServices(orders: orders, receipts: receipts)
                    return try await services.run(host.url, prefetch, settings, handlers(services)) {
                        try await body(services)
                    }
                }
            }
        }
    }

    private func run<R>(
        _ url: String, _ prefetch: Int, _ settings: ConsumerRunner.Configuration, _ handlers: MessageHandlers,
        _ body: () async throws -> R
    ) async throws -> R {
        let logger = TestThreads.logger
        let (speaker, reader) = (ServiceTopology(service: "orders"), ServiceTopology(service: "receipts"))
        func connection(_ name: String) throws -> AMQPConfiguration {
            try AMQPConfiguration(url: url, connectionName: name)
        }
        let publisher = Publisher(try connection("orders"), topology: speaker.exchanges, logger: logger)
        let relay = Relay(pool: orders, publisher: publisher, producer: speaker.service, logger: logger)
        let parking = Publisher(try connection("receipts.failed"), topology: reader.exchanges, logger: logger)
        let consumer = Consumer(
            try connection("receipts"), queue: reader.eventsQueue, topology: reader.events(handlers.names),
            prefetch: prefetch, logger: logger)
        let runner = ConsumerRunner(
            queue: reader.eventsQueue, consumer: consumer, publisher: parking, pool: receipts, handlers: handlers,
            topology: reader, configuration: settings, logger: logger)
        let all: @Sendable () async throws -> Void = {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await publisher.run() }
                group.addTask { try await parking.run() }
                group.addTask { try await relay.run() }
                group.addTask { try await runner.run() }
                try await group.waitForAll()
            }
        }
        return try await withBackground(all) {
            // An event without a queue would be a fault and wait.
            try await eventually("the services are connected") { consumer.isConsuming && publisher.isConnected }
            return try await body()
        }
    }

    private static func withPool<R: Sendable>(
        _ name: String, _ connections: Int, _ body: (PostgresPool) async throws -> R
    ) async throws -> R {
        try await TestDatabase.withDatabase(MessagingMigrations.all + [OutboxTables.migration]) { database in
            let thread = PollThread(name: name)
            defer { thread.stop() }
            var configuration = PostgresPool.Configuration(database.configuration(applicationName: name))
            configuration.maximumConnections = connections
            let pool = PostgresPool(configuration, thread: thread, logger: TestThreads.logger)
            let value: R
            do {
                value = try await body(pool)
            } catch {
                await pool.close()
                throw error
            }
            await pool.close()
            return value
        }
    }

    // MARK: The proof

    /// Waits until each of the events has had its effect, and checks that none has had two.
    func waitForEffects(of count: Int) async throws {
        try await eventually("all events are handled", poll: .milliseconds(2)) {
            handled.load(ordering: .relaxed) >= count
        }
        try await eventually("all effects are committed", poll: .milliseconds(5)) {
            try await receipts.first(CountReceipts())?.rows ?? 0 >= count
        }
    }

    func checkEffects(of count: Int) async throws {
        let placed = try await orders.first(CountOrders()) ?? 0
        let (rows, distinct) = try await receipts.first(CountReceipts()) ?? (0, 0)
        guard placed == count, rows == count, distinct == count else {
            throw WrongEffects(events: count, orders: placed, receipts: rows, ordersWithReceipt: distinct)
        }
    }
}

/// Events without an effect, or with more than one.
struct WrongEffects: Error {
    let events: Int
    let orders: Int
    let receipts: Int
    let ordersWithReceipt: Int
}
