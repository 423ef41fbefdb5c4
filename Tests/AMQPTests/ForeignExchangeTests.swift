import AMQP
import Foundation
import Locks
import Logging
import TestKit
import Testing

@Suite("Exchanges of others", .timeLimit(.minutes(15)))
struct ForeignExchangeTests {
    /// What a reader of `speaker` declares.
    private static let reading = Topology(
        exchanges: [Exchange("reader", .topic), Exchange("speaker", .topic, isForeign: true)],
        queues: [.quorum("reader.events")],
        bindings: [Binding(queue: "reader.events", exchange: "speaker", routingKey: "#")])
    private static let speaking = Topology(exchanges: [Exchange("speaker", .topic)])

    /// A user as `deploy/rabbitmq/permissions` makes them: what is its own, and reading of what it hears.
    private func reader(_ host: VirtualHost) async throws -> String {
        let own = #"^reader(\..+)?$"#
        return try await host.user(configure: own, write: own, read: #"^(reader(\..+)?|speaker)$"#)
    }

    @Test("a reader that may declare its own things only hears an exchange that is there")
    func hears() async throws {
        try await TestBroker.withVirtualHost { host in
            try await host.declareExchange("speaker")
            try await withConsumer(try await reader(host), queue: "reader.events", topology: Self.reading) { consumer in
                try await eventually("it consumes") { consumer.isConsuming }
                try await withPublisher(host.url, topology: Self.speaking) { publisher in
                    try await publisher.publish(message("a", to: "x", exchange: "speaker"), deadline: soon)
                }
                #expect(try await consumer.take(1).map(\.text) == ["a"])
            }
        }
    }

    @Test("such a reader can neither delete nor declare another's exchange, nor publish to it")
    func refused() async throws {
        try await TestBroker.withVirtualHost { host in
            try await host.declareExchange("speaker")
            let url = try await reader(host)
            let error = await #expect(throws: ManagementAPIError.self) {
                try await host.deleteExchange("speaker", as: url)
            }
            #expect(error?.status == 401 || error?.status == 403, "\(String(describing: error))")
            #expect(try await host.hasExchange("speaker"))
            for exchange in [Exchange("speaker", .topic), Exchange("speaker", .fanout)] {
                let publisher = Publisher(
                    try testConfiguration(url, name: "thief"), topology: Topology(exchanges: [exchange]),
                    logger: silentLogger)
                let refusal = await #expect(throws: AMQPError.self) { try await publisher.run() }
                #expect(refusal?.code == .accessRefused)
            }
            let refusal = try await withPublisher(url) { publisher in
                await #expect(throws: PublishError.self) {
                    try await publisher.publish(message("a", to: "x", exchange: "speaker"), deadline: soon)
                }
            }
            if case .exchangeUnavailable(403, _)? = refusal { return }
            Issue.record("it was not refused: \(String(describing: refusal))")
        }
    }

    @Test("who waits for another's exchange says so once, is bound to what is there, and goes on when it is declared")
    func waits() async throws {
        try await TestBroker.withVirtualHost { host in
            let log = LineLog()
            var topology = Self.reading
            topology.exchanges.insert(Exchange("other", .topic, isForeign: true), at: 0)
            topology.bindings.append(Binding(queue: "reader.events", exchange: "other", routingKey: "#"))
            try await host.declareExchange("other")
            let own = #"^reader(\..+)?$"#
            let url = try await host.user(configure: own, write: own, read: #"^(reader(\..+)?|speaker|other)$"#)
            let consumer = Consumer(
                try testConfiguration(url, name: "waiting"), queue: "reader.events", topology: topology,
                logger: Logger(label: "waiting") { _ in log })
            let running = Task { try await consumer.run() }
            try await eventually("it has tried several times") {
                log.lines.count { $0.text.contains("waiting for other services' exchanges") } >= 4
            }
            let told = log.lines.filter { $0.level >= .info }
            #expect(told.map(\.text) == ["waiting for other services' exchanges"])
            #expect(told.first?.metadata.contains("speaker") == true)
            #expect(told.first?.metadata.contains("other,") == false)
            // Its queue gathers already what those say that are there.
            try await host.publish("early", exchange: "other", routingKey: "x")
            try await eventually("it waits in the queue") { try await host.queueDepth("reader.events") == 1 }

            try await host.declareExchange("speaker")
            try await eventually("it consumes") { consumer.isConsuming }
            try await host.publish("late", exchange: "speaker", routingKey: "x")
            #expect(Set(try await consumer.take(2).map(\.text)) == ["early", "late"])
            await consumer.drain(within: .seconds(1))
            try await running.value
        }
    }

    @Test("two that wait for each other's exchanges both start")
    func circle() async throws {
        try await TestBroker.withVirtualHost { host in
            func start(_ name: String, hearing other: String) async throws -> Consumer {
                let own = "^\(name)(\\..+)?$"
                let url = try await host.user(
                    configure: own, write: own, read: "^(\(name)(\\..+)?|\(other))$")
                return Consumer(
                    try testConfiguration(url, name: name), queue: "\(name).events",
                    topology: Topology(
                        exchanges: [Exchange(other, .topic, isForeign: true), Exchange(name, .topic)],
                        queues: [.quorum("\(name).events")],
                        bindings: [Binding(queue: "\(name).events", exchange: other, routingKey: "#")]),
                    logger: silentLogger)
            }
            let one = try await start("one", hearing: "two")
            let two = try await start("two", hearing: "one")
            let running = [Task { try await one.run() }, Task { try await two.run() }]
            try await eventually("both consume") { one.isConsuming && two.isConsuming }
            await one.drain(within: .seconds(1))
            await two.drain(within: .seconds(1))
            for task in running { try await task.value }
        }
    }

    @Test("where the user may do all, as in tests, a service that starts alone declares what it needs")
    func alone() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withConsumer(host.url, queue: "reader.events", topology: Self.reading) { consumer in
                try await eventually("it consumes") { consumer.isConsuming }
                #expect(try await host.hasExchange("speaker"))
                try await host.publish("a", exchange: "speaker", routingKey: "x")
                #expect(try await consumer.take(1).map(\.text) == ["a"])
            }
        }
    }

    @Test("a publisher does not wait for others: a service speaks, whether or not those that it hears are there")
    func speaks() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(try await reader(host), topology: Self.reading) { publisher in
                try await host.declareQueue("listener")
                try await withConsumer(
                    host.url, queue: "listener",
                    topology: Topology(bindings: [Binding(queue: "listener", exchange: "reader", routingKey: "#")])
                ) { consumer in
                    try await eventually("it listens") { consumer.isConsuming }
                    try await publisher.publish(message("a", to: "x", exchange: "reader"), deadline: soon)
                    #expect(try await consumer.take(1).map(\.text) == ["a"])
                }
                #expect(try await !host.hasExchange("speaker"))
            }
        }
    }
}

/// Keeps what is logged.
private final class LineLog: LogHandler, Sendable {
    struct Line {
        let level: Logger.Level
        let text: String
        let metadata: String
    }
    private let kept = Mutex<[Line]>([])
    var lines: [Line] { kept.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let line = Line(level: event.level, text: "\(event.message)", metadata: "\(event.metadata ?? [:])")
        kept.withLock { $0.append(line) }
    }
}
