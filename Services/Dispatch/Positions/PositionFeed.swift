import AMQP
import Contracts
import Foundation
import Logging
import Matching
import Messaging
import PollThread
import Postgres
import ServiceLifecycle

/// Keeps this process's index: loads it at the start, hears of new positions from the fanout, and reads the table while
/// the broker is away.
struct PositionFeed: Service {
    /// How often the table is read while nothing can be heard, and old places are forgotten.
    static let checkInterval: Duration = .seconds(5)
    /// Batches handled between two looks at the clock.
    static let batchLimit = 64

    let index: PositionIndex
    let consumer: Consumer
    let pool: PostgresPool
    /// Seconds.
    let freshness: TimeInterval
    /// The process's own name: its batches are in the index already.
    let process: String
    let logger: Logger

    /// Reads what the table knows and is fresh.
    func load() async throws {
        let positions = try await pool.query(ListFreshPositions(since: Date() - freshness))
        index.put(positions.lazy.map { (provider: $0.provider, fix: $0.fix) })
    }

    /// As ``load()``, for as long as it takes.
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
                // The consumer ends when it is drained or refused; nothing is left to do then.
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
            let heard = try MessageJSON.decode(ProviderPositions.self, delivery.body)
            index.put(
                heard.positions.lazy.map { (provider: $0.provider, fix: Fix(place: GeoPoint($0.place), at: $0.at)) })
        } catch {
            logger.warning("positions not understood", metadata: ["error": "\(error)"])
        }
    }

    private func keepUp() async {
        var isComplete = false
        while !Task.isCancelled {
            // Looked at before the table is read: what comes after is heard.
            let isHearing = consumer.isConsuming
            if !isHearing || !isComplete {
                do {
                    try await load()
                    isComplete = isHearing
                } catch {
                    logger.debug("positions not loaded", metadata: ["error": "\(error)"])
                }
            }
            index.forget(before: Date() - freshness)
            PositionMetrics.known(index.count)
            do { try await pool.thread.sleep(until: .now + Self.checkInterval) } catch { return }
        }
    }
}
