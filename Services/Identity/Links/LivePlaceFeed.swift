import AMQP
import Contracts
import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import SeraiJSON
import ServiceKit
import ServiceLifecycle

/// Writes waiting places several times a second, and has those who may see them told by the processes that hold their
/// streams. A move that cannot be told at once is not told: the next one is newer.
struct LivePlaceFeed: Service {
    static let topology = Topology(exchanges: [Exchange(FriendPlaces.exchange, .fanout, isDurable: false)])
    static let interval: Duration = .milliseconds(100)
    /// The maximum of people named in a message, unless one place alone has more.
    static let readersPerMessage = 5_000
    static let patience: Duration = .milliseconds(500)

    let places: LivePlaces
    let move: MoveSharedPlaces
    let publisher: Publisher
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            group.addTask {
                await cancelWhenGracefulShutdown {
                    while !Task.isCancelled {
                        await flush()
                        do { try await move.pool.thread.sleep(until: .now + Self.interval) } catch { return }
                    }
                }
                await flush()
                await publisher.close(within: Self.patience)
            }
            try await group.waitForAll()
        }
    }

    func flush() async {
        let moves = places.takeAll()
        guard !moves.isEmpty else { return }
        do {
            for message in Self.messages(try await move(moves, at: clock())) {
                do { try await tell(message) } catch {
                    logger.debug("shared places not told", metadata: [LogKeys.error: "\(type(of: error))"])
                }
            }
        } catch {
            places.putBack(moves)
            logger.warning(
                "shared places not written",
                metadata: [LogKeys.error: "\(type(of: error))", LogKeys.count: "\(moves.count)"])
        }
    }

    /// The places in messages of bounded length.
    static func messages(_ places: [FriendPlaces.Place]) -> [FriendPlaces] {
        var messages: [FriendPlaces] = []
        var readers = 0
        for place in places {
            readers += place.friends.count
            if messages.isEmpty || readers > readersPerMessage {
                messages.append(FriendPlaces(places: []))
                readers = place.friends.count
            }
            messages[messages.count - 1].places.append(place)
        }
        return messages
    }

    /// - Throws: where the broker does not take it at once.
    func tell(_ message: FriendPlaces) async throws {
        guard publisher.isConnected, !publisher.isBlocked else { throw NotTold() }
        let outbound = OutboundMessage(
            exchange: FriendPlaces.exchange, routingKey: "", body: try JSON.wire.encode(message),
            properties: MessageProperties(
                messageID: UUID.timeOrdered().text, type: FriendPlaces.exchange, appID: "identity",
                contentType: "application/json", headers: [:]),
            isMandatory: false, isPersistent: false)
        try await publisher.publish(outbound, deadline: .now + Self.patience)
    }

    /// The broker is away, or takes nothing now.
    struct NotTold: Error {}
}
