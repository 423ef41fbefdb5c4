import AMQP
import Contracts
import Foundation
import Logging
import Matching
import Messaging
import PollThread
import Postgres
import SeraiJSON
import ServiceLifecycle

/// Keeps this process's index current: loads it at the start, consumes new positions from the fanout exchange, and
/// reads the table while the broker is unavailable and after each new connection, since the queue ends with its
/// connection.
struct PositionFeed: Service {
    /// Interval of reading the table while the broker is unavailable, and of removing old positions.
    static let checkInterval: Duration = .seconds(5)
    /// Maximum number of deliveries per batch.
    static let batchLimit = 64

    let index: PositionIndex
    let consumer: Consumer
    let pool: PostgresPool
    /// Maximum age of a position in seconds.
    let freshness: TimeInterval
    /// This process's name; its own broadcasts are already in the index.
    let process: String
    let clock: @Sendable () -> Date
    let logger: Logger

    /// Loads the fresh positions of the table.
    func load() async throws {
        let positions = try await pool.query(ListFreshPositions(since: clock() - freshness))
        index.put(positions.lazy.map { (provider: $0.provider, fix: $0.fix) })
    }

    /// Repeats ``load()`` until it succeeds.
    func loadAtStart() async throws {
        while true {
            do {
                return try await load()
            } catch {
                try Task.checkCancellation()
                logger.warning("positions not loaded", metadata: ["error": "\(error)"])
                try await pool.thread.sleep(until: .now + .seconds(1))
            }
        }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await consumer.run() }
            group.addTask { await hear() }
            group.addTask { await keepUp() }
            try await withGracefulShutdownHandler {
                // The consumer ends after a drain or a refusal; then everything ends.
                try await group.next()
                group.cancelAll()
                try await group.waitForAll()
            } onGracefulShutdown: {
                Task { await consumer.drain(within: .seconds(1)) }
            }
        }
    }

    private func hear() async {
        while !Task.isCancelled {
            let batch: [Delivery]
            do {
                batch = try await consumer.nextBatch(upTo: Self.batchLimit)
            } catch {
                return
            }
            guard !batch.isEmpty else { return }
            for delivery in batch where delivery.properties.headers[PositionBroadcast.processHeader] != .string(process)
            {
                take(delivery)
            }
            consumer.ack(batch.map(\.tag))
        }
    }

    private func take(_ delivery: Delivery) {
        do {
            let heard = try JSON.wire.decode(ProviderPositions.self, delivery.body)
            index.put(
                heard.positions.lazy.map { (provider: $0.provider, fix: Fix(place: GeoPoint($0.place), at: $0.at)) })
        } catch {
            logger.warning("positions not understood", metadata: ["error": "\(error)"])
        }
    }

    private func keepUp() async {
        // The connection since whose beginning the index is complete.
        var complete: Int?
        while !Task.isCancelled {
            // Read before the table, so that positions after this moment are heard.
            let (connection, isHearing) = (consumer.connections, consumer.isConsuming)
            if !isHearing || complete != connection {
                do {
                    try await load()
                    complete = isHearing ? connection : nil
                } catch {
                    logger.debug("positions not loaded", metadata: ["error": "\(error)"])
                }
            }
            index.forget(before: clock() - freshness)
            PositionMetrics.known(index.count)
            do { try await pool.thread.sleep(until: .now + Self.checkInterval) } catch { return }
        }
    }
}
