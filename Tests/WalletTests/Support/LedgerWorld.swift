import AMQP
import Contracts
import Foundation
import Locks
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit

@testable import SeraiWallet

/// The wallet's handling of commands with a database and a broker of its own, and another service that asks and listens.
final class LedgerWorld: Sendable {
    enum Answer: Hashable, Sendable {
        case posted(UUID)
        case refused(String)
    }

    let pool: PostgresPool
    private let publisher: Publisher
    private let heard = Mutex<[(command: LedgerCommandKind, id: UUID, answer: Answer)]>([])

    private init(pool: PostgresPool, publisher: Publisher) {
        self.pool = pool
        self.publisher = publisher
    }

    /// - Parameters:
    ///   - batch: commands in one transaction.
    ///   - workers: transactions at the same time.
    static func run(
        batch: Int = 200, workers: Int = 4, _ body: @escaping @Sendable (LedgerWorld) async throws -> Void
    ) async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(WalletService.migrations) { database in
                try await database.withPool(maximum: 8) { pool in
                    try await run(host, pool, batch, workers, body)
                }
            }
        }
    }

    private static func run(
        _ host: VirtualHost, _ pool: PostgresPool, _ batch: Int, _ workers: Int,
        _ body: @escaping @Sendable (LedgerWorld) async throws -> Void
    ) async throws {
        let logger = TestThreads.logger
        let handlers = LedgerHandlers { Date() }.make()
        let wallet = ServiceTopology(service: "wallet")
        func configuration(_ name: String) throws -> AMQPConfiguration {
            try AMQPConfiguration(url: host.url, connectionName: name)
        }
        let telling = Publisher(try configuration("wallet"), topology: wallet.exchanges, logger: logger)
        var settings = ConsumerRunner.Configuration()
        settings.batchLimit = batch
        settings.workers = workers
        settings.keepsQueueOrder = true
        let commands = try Consumer(
            configuration("commands"), queue: wallet.commandsQueue, topology: wallet.commands(handlers.names),
            logger: logger)
        let runner = ConsumerRunner(
            queue: wallet.commandsQueue, consumer: commands, publisher: telling, pool: pool, handlers: handlers,
            topology: wallet, configuration: settings, logger: logger)
        var relaying = Relay.Configuration()
        // For tests that look at what was said.
        relaying.keepPublished = .seconds(3_600)
        let relay = Relay(
            pool: pool, publisher: telling, producer: "wallet", configuration: relaying, logger: logger)
        let deadlines = DeadlineRunner(
            pool: pool, handlers: [HoldExpiry.kind: HoldExpiry.operation { Date() }], logger: logger)

        let asking = Publisher(
            try configuration("dispatch"), topology: ServiceTopology.asking(["wallet"]), logger: logger)
        let world = LedgerWorld(pool: pool, publisher: asking)
        let dispatch = ServiceTopology(service: "dispatch")
        let listening = Consumer(
            try configuration("answers"), queue: dispatch.eventsQueue,
            topology: dispatch.events([TransferPosted.name, TransferRefused.name]), logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await telling.run() }
            tasks.addTask { try await asking.run() }
            tasks.addTask { try await listening.run() }
            tasks.addTask { try await relay.run() }
            tasks.addTask { try await runner.run() }
            tasks.addTask { try await deadlines.run() }
            tasks.addTask { try await world.listen(listening) }
            // What is asked before there are queues goes nowhere: here nobody's outbox sends it again.
            try await eventually("the queues are there") { commands.isConsuming && listening.isConsuming }
            try await body(world)
            tasks.cancelAll()
        }
    }

    private func listen(_ consumer: Consumer) async throws {
        while !Task.isCancelled {
            let batch = try await consumer.nextBatch(upTo: 100)
            for delivery in batch {
                switch delivery.properties.type {
                case TransferPosted.name.text:
                    let event = try JSON.wire.decode(TransferPosted.self, delivery.body)
                    heard.withLock { $0.append((event.command, event.id, .posted(event.transfer))) }
                default:
                    let event = try JSON.wire.decode(TransferRefused.self, delivery.body)
                    heard.withLock { $0.append((event.command, event.id, .refused(event.reason))) }
                }
            }
            consumer.ack(batch.map(\.tag))
        }
    }

    // MARK: Asking

    /// Each with a message id of its own.
    func ask(_ messages: [any Message]) async throws {
        let outbound = try messages.map { try Self.outbound($0) }
        for outcome in await publisher.publish(batch: outbound, deadline: .now + .seconds(60)) { try outcome.get() }
    }

    static func outbound(_ message: some Message, id: UUID = .timeOrdered()) throws -> OutboundMessage {
        OutboundMessage(
            exchange: "wallet.commands", routingKey: type(of: message).name.text,
            body: try JSON.wire.encode(message),
            properties: MessageProperties(
                messageID: id.text, type: type(of: message).name.text,
                timestampSeconds: UInt64(Date().timeIntervalSince1970), correlationID: message.aggregate,
                appID: "dispatch", contentType: "application/json", headers: [:]))
    }

    /// What was answered about a hold or a transfer, in the order of hearing.
    func answers(to command: LedgerCommandKind, _ id: UUID) -> [Answer] {
        heard.withLock { $0.filter { $0.command == command && $0.id == id }.map(\.answer) }
    }

    var answerCount: Int { heard.withLock { $0.count } }

    /// Waits for so many answers about it.
    func answers(to command: LedgerCommandKind, _ id: UUID, count: Int) async throws -> [Answer] {
        try await eventually("\(count) answers", value: { answers(to: command, id) }) { $0.count >= count }
    }

    /// Circles of waiting that the database had to break.
    func deadlocks() async throws -> Int {
        // Each connection tells now what it has counted.
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask { [pool] in
                    try await pool.withTransaction { transaction in _ = try await transaction.query(TellCounts()) }
                }
            }
            try await tasks.waitForAll()
        }
        return try await pool.first(CountDeadlocks()) ?? 0
    }

    // MARK: Money

    func fund(_ person: UUID, _ amount: Int, currency: String = "SAR") async throws {
        let transfer = Transfer(
            id: .timeOrdered(), .topUp, of: .timeOrdered(), currency: currency,
            [Move(amount, from: .external(currency, for: person), to: .wallet(person, currency))])
        try await pool.withTransaction { _ = try await Ledger.post([transfer], in: $0) }
    }

    func balance(_ person: UUID, currency: String = "SAR") async throws -> Int {
        try await pool.query(ListBalances(account: person)).first { $0.currency == currency }?.amount ?? 0
    }
}

private struct TellCounts: Statement {
    static let sql: SQL = "SELECT pg_stat_force_next_flush()::text || pg_sleep(0.2)::text"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct CountDeadlocks: Statement {
    static let sql: SQL = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
