import AMQP
import Foundation
import PollThread
import TestKit

/// The AMQP layer against a C program on the same librabbitmq.
enum AMQPBenchmark {
    static let bodyBytes = 512
    /// Unconfirmed messages.
    static let window = 256
    static let prefetch = 256
    /// One ack for so many messages; the broker does best with 5 to 10 % of the prefetch.
    static let ackEvery = 16
    /// Messages of one measurement, so that it lasts about as long as was asked for.
    private static let messagesPerSecond = 25_000

    // MARK: Publishing

    static func publish(_ settings: Settings) async throws -> [Figure] {
        let count = settings.seconds * messagesPerSecond / window * window
        let series = try await settings.interleave([
            Contestant("ours, \(window) callers of publish(_:)", unit: "messages") {
                try await withQueue { url, queue in try await publish(url, queue, count, callers: window, batch: 1) }
            },
            Contestant("C on librabbitmq", unit: "messages") {
                try await withQueue { url, queue in
                    try await RawAMQP.publish(url, queue, count: count, bodyBytes: bodyBytes, window: window)
                }
            },
            Contestant("ours, 2 callers of publish(batch:) with \(window / 2) each", unit: "messages") {
                try await withQueue { url, queue in
                    try await publish(url, queue, count, callers: 2, batch: window / 2)
                }
            },
        ])
        return [
            Figure(
                "amqp_publish_ratio", .atLeast(0.8), rounds: series[0].ratios(to: series[1]),
                conditions: "\(count) messages of \(bodyBytes) bytes, persistent, mandatory, confirmed,"
                    + " to a quorum queue, \(window) in flight",
                series: series,
                notes: [
                    String(format: "in batches %.2f of C", series[2].ratios(to: series[1]).median)
                ])
        ]
    }

    private static func publish(
        _ url: String, _ queue: String, _ count: Int, callers: Int, batch: Int
    ) async throws -> Sample {
        let publisher = Publisher(
            try AMQPConfiguration(url: url, connectionName: "bench"),
            topology: Topology(queues: [.quorum(queue, deliveryLimit: 5)]), inFlightLimit: window,
            logger: TestThreads.logger)
        return try await withBackground(publisher.run) {
            // The connection is open before the clock starts, as with the C program's rate.
            try await publisher.publish(Self.message(0, queue), deadline: .now + .seconds(10))
            let sample = try await measured {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for caller in 0..<callers {
                        group.addTask {
                            try await publish(
                                publisher, queue, from: caller * count / callers, to: (caller + 1) * count / callers,
                                batch: batch)
                        }
                    }
                    try await group.waitForAll()
                }
                return count
            }
            await publisher.close(within: .seconds(10))
            return sample
        }
    }

    private static func publish(
        _ publisher: Publisher, _ queue: String, from first: Int, to end: Int, batch: Int
    ) async throws {
        var next = first
        while next < end {
            if batch == 1 {
                try await publisher.publish(message(next, queue), deadline: .now + .seconds(30))
                next += 1
            } else {
                let messages = (next..<min(next + batch, end)).map { message($0, queue) }
                for outcome in await publisher.publish(batch: messages, deadline: .now + .seconds(30)) {
                    try outcome.get()
                }
                next += messages.count
            }
        }
    }

    /// The same properties as the C program's messages.
    private static func message(_ number: Int, _ queue: String) -> OutboundMessage {
        OutboundMessage(
            exchange: "", routingKey: queue, body: body,
            properties: MessageProperties(
                messageID: "0190a0c4-7b1e-7000-8000-" + String(0x1000_0000_0000 + number, radix: 16),
                type: "benchmark.message.published.v1", timestampSeconds: UInt64(time(nil)),
                correlationID: "0190a0c4-7b1e-7c3a-9d52-3f6b8e1a2c4e", appID: "benchmark",
                contentType: "application/json",
                headers: [
                    "causation_id": "0190a0c4-7b1e-7c3a-9d52-3f6b8e1a2c4d",
                    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                ]))
    }

    /// A JSON string.
    private static let body = Array("\"\(String(repeating: "x", count: bodyBytes - 2))\"".utf8)

    // MARK: Consuming

    static func consume(_ settings: Settings) async throws -> [Figure] {
        let count = settings.seconds * messagesPerSecond
        let series = try await settings.interleave([
            Contestant("ours, acks of \(ackEvery)", unit: "messages") {
                try await withFilledQueue(count) { url, queue in try await consume(url, queue, count) }
            },
            Contestant("C on librabbitmq", unit: "messages") {
                try await withFilledQueue(count) { url, queue in
                    try await RawAMQP.consume(url, queue, count: count, prefetch: prefetch, ackEvery: ackEvery)
                }
            },
        ])
        return [
            Figure(
                "amqp_consume_ratio", .atLeast(0.8), rounds: series[0].ratios(to: series[1]),
                conditions: "\(count) messages of \(bodyBytes) bytes from a quorum queue, prefetch \(prefetch),"
                    + " one ack for \(ackEvery)",
                series: series)
        ]
    }

    private static func consume(_ url: String, _ queue: String, _ count: Int) async throws -> Sample {
        let consumer = Consumer(
            try AMQPConfiguration(url: url, connectionName: "bench"), queue: queue, prefetch: prefetch,
            logger: TestThreads.logger)
        return try await withBackground(consumer.run) {
            // The clock starts with the first delivery, as the C program's does.
            var batch = try await consumer.nextBatch(upTo: ackEvery)
            let sample = try await measured {
                var taken = 0
                var unsettled: [DeliveryTag] = []
                while !batch.isEmpty {
                    taken += batch.count
                    unsettled += batch.lazy.map(\.tag)
                    if unsettled.count >= ackEvery || taken == count {
                        consumer.ack(unsettled)
                        unsettled.removeAll(keepingCapacity: true)
                    }
                    if taken >= count { break }
                    batch = try await consumer.nextBatch(upTo: ackEvery)
                }
                return taken
            }
            await consumer.drain(within: .seconds(10))
            return sample
        }
    }

    // MARK: Queues

    private static func withFilledQueue(
        _ count: Int, _ body: (_ url: String, _ queue: String) async throws -> Sample
    ) async throws -> Sample {
        try await withQueue { url, queue in
            _ = try await RawAMQP.publish(url, queue, count: count, bodyBytes: bodyBytes, window: window)
            let sample = try await body(url, queue)
            guard sample.count == count else { throw LostMessages(expected: count, found: sample.count) }
            return sample
        }
    }

    /// The name of a queue that is not there yet, in a virtual host of its own, which is deleted afterwards.
    private static func withQueue(
        _ body: (_ url: String, _ queue: String) async throws -> Sample
    ) async throws -> Sample {
        try await TestBroker.withVirtualHost { host in try await body(host.url, "bench") }
    }
}

/// Not as many messages as there should be.
struct LostMessages: Error {
    let expected: Int
    let found: Int
}

/// Runs `body` while `service` runs, and ends it afterwards.
func withBackground<R>(
    _ service: @escaping @Sendable () async throws -> Void, _ body: () async throws -> R
) async throws -> R {
    let task = Task.detached { try await service() }
    let value: R
    do {
        value = try await body()
    } catch {
        task.cancel()
        throw error
    }
    task.cancel()
    _ = await task.result
    return value
}
