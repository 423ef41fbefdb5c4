import AMQP
import Contracts
import Foundation
import Logging
import Messaging
import SeraiJSON
import ServiceLifecycle

/// Receives providers' positions and shows them to the two parties of the order on the way.
///
/// Uses an in-memory queue of this process: a lost position is followed by a newer one.
struct PositionFeed: Service {
    /// The maximum length of the queue; the broker drops the oldest messages.
    static let queueLimit = 1_000

    let consumer: Consumer
    let hub: StreamHub
    let logger: Logger

    /// - Parameter queue: a name that only this process uses.
    static func topology(queue: String) -> Topology {
        Topology(
            exchanges: [Exchange(ProviderPositions.exchange, .fanout, isDurable: false, isForeign: true)],
            queues: [.transient(queue, maxLength: queueLimit)],
            bindings: [Binding(queue: queue, exchange: ProviderPositions.exchange)])
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await consumer.run() }
            group.addTask { await take() }
            try await withGracefulShutdownHandler {
                try await group.waitForAll()
            } onGracefulShutdown: {
                Task { await consumer.drain(within: .seconds(1)) }
            }
        }
    }

    private func take() async {
        while !Task.isCancelled {
            let batch: [Delivery]
            do { batch = try await consumer.nextBatch(upTo: 64) } catch { return }
            guard !batch.isEmpty else { return }
            for delivery in batch { tell(delivery) }
            consumer.ack(batch.map(\.tag))
        }
    }

    private func tell(_ delivery: Delivery) {
        do {
            let heard = try JSON.wire.decode(ProviderPositions.self, delivery.body)
            for position in heard.positions { try tell(position) }
        } catch {
            logger.debug("positions not understood", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func tell(_ position: ProviderPositions.Position) throws {
        guard let tracking = position.tracking else { return }
        let parties = [tracking.customer, position.provider]
        guard hub.hasReaders(parties) else { return }
        let event = ServerSentEvent("position", data: try JSON.wire.text(ShownPosition(position, tracking)))
        hub.tell(position: event.text, order: tracking.order, at: position.at, to: parties)
    }
}

/// A position in the view of the order's parties.
private struct ShownPosition: Encodable {
    let order: String
    let latitude: Double
    let longitude: Double
    let at: Date
    let metresLeft: Int
    let secondsLeft: Int

    init(_ position: ProviderPositions.Position, _ tracking: ProviderPositions.Tracking) {
        order = tracking.order.text
        latitude = position.place.latitude
        longitude = position.place.longitude
        at = position.at
        metresLeft = tracking.metresLeft
        secondsLeft = tracking.secondsLeft
    }
}
