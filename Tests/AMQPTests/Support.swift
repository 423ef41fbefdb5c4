import AMQP
import Logging
import TestKit

/// Quick to reconnect, so that tests are quick.
func testConfiguration(_ url: String, name: String, heartbeatSeconds: Int = 10) throws -> AMQPConfiguration {
    var configuration = try AMQPConfiguration(url: url, connectionName: name)
    configuration.url.heartbeatSeconds = heartbeatSeconds
    configuration.reconnect = ReconnectPolicy(base: .milliseconds(20), cap: .milliseconds(500))
    return configuration
}

let silentLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Far enough for a busy machine.
var soon: ContinuousClock.Instant { .now + .seconds(20) }

/// Runs the body with a running publisher and closes it afterwards.
func withPublisher<R>(
    _ url: String, topology: Topology = Topology(), inFlightLimit: Int = 256, heartbeatSeconds: Int = 10,
    bodyLimitBytes: Int = 16 << 20, _ body: (Publisher) async throws -> R
) async throws -> R {
    var configuration = try testConfiguration(url, name: "test publisher", heartbeatSeconds: heartbeatSeconds)
    configuration.bodyLimitBytes = bodyLimitBytes
    let publisher = Publisher(configuration, topology: topology, inFlightLimit: inFlightLimit, logger: silentLogger)
    let running = Task { try await publisher.run() }
    let result: Result<R, any Error>
    do { result = .success(try await body(publisher)) } catch { result = .failure(error) }
    await publisher.close(within: .seconds(5))
    try await running.value
    return try result.get()
}

/// Runs the body with a running consumer and drains it afterwards.
func withConsumer<R>(
    _ url: String, queue: String, topology: Topology = Topology(), prefetch: Int = 256, heartbeatSeconds: Int = 10,
    bodyLimitBytes: Int = 16 << 20, _ body: (Consumer) async throws -> R
) async throws -> R {
    var configuration = try testConfiguration(url, name: "test consumer", heartbeatSeconds: heartbeatSeconds)
    configuration.bodyLimitBytes = bodyLimitBytes
    let consumer = Consumer(configuration, queue: queue, topology: topology, prefetch: prefetch, logger: silentLogger)
    let running = Task { try await consumer.run() }
    let result: Result<R, any Error>
    do { result = .success(try await body(consumer)) } catch { result = .failure(error) }
    await consumer.drain(within: .milliseconds(500))
    try await running.value
    return try result.get()
}

/// A durable quorum queue without arguments of its own.
func quorum(_ name: String) -> Topology { Topology(queues: [.quorum(name)]) }

func message(_ text: String, to queue: String, exchange: String = "") -> OutboundMessage {
    OutboundMessage(
        exchange: exchange, routingKey: queue, body: Array(text.utf8),
        properties: AMQP.MessageProperties(messageID: text))
}

extension Delivery {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension Consumer {
    /// Takes and acks until so many deliveries have come.
    func take(_ count: Int) async throws -> [Delivery] {
        var all: [Delivery] = []
        while all.count < count {
            let batch = try await nextBatch(upTo: count - all.count)
            guard !batch.isEmpty else { break }
            ack(batch.map(\.tag))
            all += batch
        }
        return all
    }
}

extension Publisher {
    func publishAll(_ batch: [OutboundMessage], deadline: ContinuousClock.Instant = soon) async throws {
        for outcome in await publish(batch: batch, deadline: deadline) { try outcome.get() }
    }
}
