import AMQP
import Contracts
import Foundation
import Logging
import Messaging
import SeraiJSON
import Synchronization
import TestKit

/// Listens to what orders tell, as another service does.
final class HeardEvents: Sendable {
    private static let queue = "test.orders"

    private struct Body: Decodable {
        struct Snapshot: Decodable { let version: Int }
        let order: Snapshot
    }

    /// By order, in the order in which they came; a message that came again only once.
    private let heard = Mutex<(versions: [String: [Int]], messages: Set<String>)>(([:], []))

    func versions(of order: UUID) -> [Int] { heard.withLock { $0.versions[order.text] ?? [] } }

    static func with(_ host: VirtualHost, _ body: (HeardEvents) async throws -> Void) async throws {
        let topology = Topology(
            exchanges: [Exchange("dispatch", .topic)], queues: [.quorum(queue)],
            bindings: [Binding(queue: queue, exchange: "dispatch", routingKey: "dispatch.order.#")])
        let consumer = Consumer(
            try AMQPConfiguration(url: host.url, connectionName: "heard"), queue: queue, topology: topology,
            logger: TestThreads.logger)
        let events = HeardEvents()
        let running = Task { try await consumer.run() }
        let listening = Task { try await events.listen(to: consumer) }
        let result: Result<Void, any Error>
        do {
            try await eventually("it listens") { try await host.queueDepth(queue) != nil }
            result = .success(try await body(events))
        } catch { result = .failure(error) }
        listening.cancel()
        running.cancel()
        _ = await listening.result
        _ = await running.result
        try result.get()
    }

    private func listen(to consumer: Consumer) async throws {
        while !Task.isCancelled {
            let batch = try await consumer.nextBatch(upTo: 200)
            for delivery in batch {
                guard let order = delivery.properties.correlationID, let id = delivery.properties.messageID else {
                    continue
                }
                let version = try JSONDecoder().decode(Body.self, from: Data(delivery.body)).order.version
                heard.withLock { heard in
                    if heard.messages.insert(id).inserted { heard.versions[order, default: []].append(version) }
                }
            }
            consumer.ack(batch.map(\.tag))
        }
    }
}
