import AMQP
import Contracts
import Foundation
import Messaging
import SeraiJSON
import Synchronization
import TestKit

/// Hears which deliveries the service gives up.
final class FailedDeliveries: Sendable {
    private let heard = Mutex<[DeliveryFailed]>([])

    var all: [DeliveryFailed] { heard.withLock { $0 } }

    static func with(_ broker: VirtualHost, _ body: (FailedDeliveries) async throws -> Void) async throws {
        let queue = "failed.deliveries"
        let topology = Topology(
            exchanges: [Exchange("notifications", .topic)], queues: [.quorum(queue)],
            bindings: [Binding(queue: queue, exchange: "notifications", routingKey: DeliveryFailed.name.text)])
        let consumer = Consumer(
            try AMQPConfiguration(url: broker.url, connectionName: queue), queue: queue, topology: topology,
            logger: TestThreads.logger)
        let found = FailedDeliveries()
        let running = Task { try await consumer.run() }
        let hearing = Task { await found.hear(consumer) }
        do {
            // An event that is published before the queue is bound reaches nobody.
            try await eventually("the queue is bound") { consumer.isConsuming }
            try await body(found)
        } catch {
            await close()
            throw error
        }
        await close()

        func close() async {
            hearing.cancel()
            await consumer.drain(within: .seconds(1))
            await hearing.value
            _ = await running.result
        }
    }

    private func hear(_ consumer: Consumer) async {
        // try?: the connection ends with the test.
        while !Task.isCancelled, let deliveries = try? await consumer.nextBatch(upTo: 16), !deliveries.isEmpty {
            for delivery in deliveries {
                consumer.ack(delivery.tag)
                // try?: what cannot be read is missed by the test that waits for it.
                guard let event = try? JSON.wire.decode(DeliveryFailed.self, delivery.body) else { continue }
                heard.withLock { $0.append(event) }
            }
        }
    }
}
