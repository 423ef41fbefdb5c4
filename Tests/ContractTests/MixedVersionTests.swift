import AMQP
import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

/// While a new version is rolled out, a queue holds what the old one and the new one have written.
@Suite("Messages of several versions in one queue", .timeLimit(.minutes(15)))
struct MixedVersionTests {
    /// A message on the wire, and what its reader is to make of it; nil if this version does not know its name.
    private struct Sent {
        let id = UUID.timeOrdered()
        let name: MessageName
        var isCommand = false
        let body: Data
        let read: NSDictionary?

        var outbound: OutboundMessage {
            OutboundMessage(
                exchange: isCommand ? "\(name.service).commands" : name.service, routingKey: name.text,
                body: [UInt8](body),
                properties: AMQP.MessageProperties(messageID: id.text, type: name.text))
        }
    }

    private static let reader = ServiceTopology(service: "reader", retryDelays: [.milliseconds(50)])
    /// Of the next version, which has bound them already.
    private static let unknown: [MessageName] = ["dispatch.order.accepted.v2", "identity.account.moved.v1"]

    private static func object(_ data: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    /// Their keys are data: words of an audit entry, of a search, and texts of the catalogue.
    private static let maps: Set<String> = ["details", "filter", "texts"]

    /// As the next version writes it: every object has a field more, except maps, and texts by language.
    private static func later(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(later) }
        guard let object = value as? [String: Any], !object.isEmpty, !object.keys.contains("en") else { return value }
        var added = Dictionary(uniqueKeysWithValues: object.map { ($0, maps.contains($0) ? $1 : later($1)) })
        added["laterField"] = ["a": 1]
        return added
    }

    private static func messages() throws -> [Sent] {
        var all = try GoldenSample.former.map { sample in
            let isCommand = AllMessages.types.contains { $0.name == sample.name && $0.kind == .command }
            return Sent(name: sample.name, isCommand: isCommand, body: sample.body, read: try object(sample.body))
        }
        for type in AllMessages.types {
            let (sample, isCommand) = (try GoldenSample.current(type.name), type.kind == .command)
            let next = try JSONSerialization.data(withJSONObject: later(object(sample)))
            for body in [sample, next] {
                all.append(Sent(name: type.name, isCommand: isCommand, body: body, read: try object(sample)))
            }
        }
        for name in unknown { all.append(Sent(name: name, body: Data("{}".utf8), read: nil)) }
        return all
    }

    /// The queue of a reader of all messages, bound to the exchanges of their owners.
    private static func topology() -> Topology {
        let names = AllMessages.types.filter { $0.kind == .event }.map { $0.name } + unknown
        let commands = AllMessages.types.filter { $0.kind == .command }.map { $0.name }
        let owners = Set((names + commands).map(\.service)).sorted().map { ServiceTopology(service: $0).exchanges }
        let bindings = commands.map {
            Binding(queue: reader.eventsQueue, exchange: "\($0.service).commands", routingKey: $0.text)
        }
        return owners.reduce(Topology()) { $0.merging($1) }.merging(reader.events(names))
            .merging(Topology(bindings: bindings))
    }

    private static func register<M: Message>(_ type: M.Type, in handlers: inout MessageHandlers) {
        handlers.on(type) { received, transaction in
            transaction.send(InsertRead(id: received.envelope.id, body: try JSON.wire.text(received.message)))
        }
    }

    /// Runs the reader while `body` runs.
    private func reading(
        _ publisher: Publisher, _ host: VirtualHost, _ pool: PostgresPool, _ body: () async throws -> Void
    )
        async throws
    {
        var handlers = MessageHandlers()
        for type in AllMessages.types { Self.register(type, in: &handlers) }
        let consumer = Consumer(
            try AMQPConfiguration(url: host.url, connectionName: "read"), queue: Self.reader.eventsQueue,
            topology: Self.topology(), logger: TestThreads.logger)
        let runner = ConsumerRunner(
            queue: Self.reader.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: Self.reader, logger: TestThreads.logger)
        let running = Task { try await runner.run() }
        defer { running.cancel() }
        try await body()
    }

    @Test("Q2: of messages of the last version, of this and of the next one each has its effect once, and none is dead")
    func mixed() async throws {
        var generator = SeededGenerator()
        let sent = try Self.messages().shuffled(using: &generator)
        let known = sent.filter { $0.read != nil }
        #expect(known.count > 2 * AllMessages.types.count)
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(MessagingMigrations.all + [readsMigration]) { database in
                try await database.withPool { pool in
                    let publisher = Publisher(
                        try AMQPConfiguration(url: host.url, connectionName: "write"), topology: Self.topology(),
                        logger: TestThreads.logger)
                    let publishing = Task { try await publisher.run() }
                    defer { publishing.cancel() }
                    for message in sent {
                        // Refused while the queue starts; a repeat would have no second effect.
                        try await eventually("the queue takes it") {
                            try await publisher.publish(message.outbound, deadline: .now + .seconds(60))
                            return true
                        }
                    }
                    try await reading(publisher, host, pool) {
                        try await eventually("all that is known has had its effect, \(generator)") {
                            try await pool.query(Reads()).count == known.count
                        }
                        try await eventually("what is not known waits") {
                            try await host.queueDepth("\(Self.reader.eventsQueue).parked") == Self.unknown.count
                        }
                        // The broker tells of it up to a second late.
                        try await eventually("all is settled") {
                            try await host.queueDepth(Self.reader.eventsQueue) == 0
                        }
                    }
                    let reads = try await pool.query(Reads())
                    let bodies = Dictionary(reads.map { ($0.id, $0.body) }) { first, _ in first }
                    for message in known {
                        let body = try #require(bodies[message.id], "\(message.name) was not read")
                        #expect(try Self.object(Data(body.utf8)) == message.read, "\(message.name)")
                    }
                    for queue in ["\(Self.reader.eventsQueue).dead", Self.reader.deadQueue] {
                        #expect(try await host.queueDepth(queue) == 0, "\(queue)")
                    }
                }
            }
        }
    }
}

private let readsMigration = Migration(
    component: "test", version: 1, name: "reads", sql: "CREATE TABLE reads (id uuid PRIMARY KEY, body text NOT NULL)")

private struct InsertRead: Statement {
    static let sql: SQL = "INSERT INTO reads (id, body) VALUES ($1, $2)"
    let id: UUID
    let body: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, body) }
}

private struct Reads: Statement {
    static let sql: SQL = "SELECT id, body FROM reads"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (id: UUID, body: String) {
        (try row.next(), try row.next())
    }
}
