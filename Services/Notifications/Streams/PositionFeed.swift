import AMQP
import Contracts
import Foundation
import Logging
import Messaging
import SeraiJSON
import ServiceLifecycle

/// Receives what another service's process tells of moving people, and has it shown on the streams of this process.
///
/// Uses an in-memory queue of this process: a lost position is followed by a newer one.
struct PositionFeed: Service {
    /// The maximum length of the queue; the broker drops the oldest messages.
    static let queueLimit = 1_000

    let consumer: Consumer
    let logger: Logger
    let tell: @Sendable (Delivery) throws -> Void

    /// - Parameter queue: a name that only this process uses.
    static func topology(queue: String, exchange: String) -> Topology {
        Topology(
            exchanges: [Exchange(exchange, .fanout, isDurable: false, isForeign: true)],
            queues: [.transient(queue, maxLength: queueLimit)],
            bindings: [Binding(queue: queue, exchange: exchange)])
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
            for delivery in batch { take(delivery) }
            consumer.ack(batch.map(\.tag))
        }
    }

    private func take(_ delivery: Delivery) {
        do {
            try tell(delivery)
        } catch {
            logger.debug("positions not understood", metadata: ["error": "\(type(of: error))"])
        }
    }
}

extension StreamHub {
    /// Shows providers to the two parties of the order on the way.
    func tellPositions(_ delivery: Delivery) throws {
        for position in try JSON.wire.decode(ProviderPositions.self, delivery.body).positions {
            guard let tracking = position.tracking else { continue }
            let parties = [tracking.customer, position.provider]
            guard hasReaders(parties) else { continue }
            let event = ServerSentEvent("position", data: try JSON.wire.text(ShownPosition(position, tracking)))
            tell(position: event.text, order: tracking.order, at: position.at, to: parties)
        }
    }

    /// Shows places to the friends with whom they are shared (H5), or shows them no more.
    func tellPlaces(_ delivery: Delivery) throws {
        for place in try JSON.wire.decode(FriendPlaces.self, delivery.body).places {
            guard hasReaders(place.friends) else { continue }
            let event = ServerSentEvent("friend-place", data: try JSON.wire.text(ShownPlace(place)))
            tell(place: event.text, of: place.account, at: place.at, to: place.friends)
        }
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

/// A friend's place in the view of a friend; without coordinates when it is shown no more.
private struct ShownPlace: Encodable {
    let account: String
    let latitude: Double?
    let longitude: Double?
    let at: Date
    let expiresAt: Date?

    init(_ told: FriendPlaces.Place) {
        account = told.account.text
        latitude = told.place?.latitude
        longitude = told.place?.longitude
        at = told.at
        expiresAt = told.expiresAt
    }
}
