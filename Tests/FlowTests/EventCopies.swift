import AMQP
import Foundation
import Logging
import Messaging
import Synchronization
import TestKit

/// Stands beside the services and publishes everything that they tell each other a second time, at once or later.
final class EventCopies: Sendable {
    /// How a copy looks to who hears it.
    enum Kind: Sendable {
        /// The same message, as a broker may deliver it again.
        case sameMessage
        /// The same words in a message of its own, as nobody should send it; the snapshots' versions tell.
        case anotherMessage
    }

    private static let mark = "x-flow-copy"
    private static let queue = "flow.copies"
    private static let exchanges = ["identity", "dispatch", "wallet", "admin"]

    private let copied = Mutex<[String: Int]>([:])

    /// How many messages of each name were copied.
    var counts: [String: Int] { copied.withLock { $0 } }

    static func with(_ host: VirtualHost, _ kind: Kind, _ body: (EventCopies) async throws -> Void) async throws {
        let logger = Logger(label: "copies") { _ in SwiftLogNoOpLogHandler() }
        let topology = Topology(
            exchanges: exchanges.map { Exchange($0, .topic) }, queues: [.quorum(queue)],
            bindings: exchanges.map { Binding(queue: queue, exchange: $0, routingKey: "#") })
        let consumer = Consumer(
            try AMQPConfiguration(url: host.url, connectionName: "copies in"), queue: queue, topology: topology,
            logger: logger)
        let publisher = Publisher(
            try AMQPConfiguration(url: host.url, connectionName: "copies out"), topology: topology, logger: logger)
        let copies = EventCopies()
        let running = Task { try await consumer.run() }
        let sending = Task { try await publisher.run() }
        let copying = Task { await copies.copy(from: consumer, to: publisher, kind) }
        do {
            try await body(copies)
        } catch {
            await close()
            throw error
        }
        await close()

        func close() async {
            copying.cancel()
            await consumer.drain(within: .seconds(1))
            await publisher.close(within: .seconds(2))
            await copying.value
            _ = await running.result
            _ = await sending.result
        }
    }

    private func copy(from consumer: Consumer, to publisher: Publisher, _ kind: Kind) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard let deliveries = try? await consumer.nextBatch(upTo: 64), !deliveries.isEmpty else { break }
                for delivery in deliveries {
                    consumer.ack(delivery.tag)
                    guard delivery.properties.headers[Self.mark] == nil else { continue }
                    copied.withLock { $0[delivery.routingKey, default: 0] += 1 }
                    group.addTask { await self.publish(delivery, by: publisher, kind) }
                }
            }
            group.cancelAll()
        }
    }

    private func publish(_ delivery: Delivery, by publisher: Publisher, _ kind: Kind) async {
        var properties = delivery.properties
        properties.headers[Self.mark] = true
        if kind == .anotherMessage { properties.messageID = UUID.timeOrdered().text }
        let message = OutboundMessage(
            exchange: delivery.exchange, routingKey: delivery.routingKey, body: delivery.body, properties: properties)
        do {
            if Bool.random() { try await Task.sleep(for: .milliseconds(Int.random(in: 1...700))) }
            try await publisher.publish(message, deadline: .now + .seconds(10))
        } catch {
            guard !Task.isCancelled else { return }
            print("a copy of \(delivery.routingKey) was not published: \(error)")
        }
    }
}
