import Contracts
import Foundation
import Logging
import Matching
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// Writes the phones' reports in batches, several times a second; then informs the other processes, and the customers
/// whose provider is nearly there.
struct PositionFlusher: Service {
    /// Maximum number of reports per transaction.
    static let batchLimit = 2_000

    let inbox: PositionInbox
    let index: PositionIndex
    let record: RecordPositions
    let announce: AnnounceNearby
    let broadcast: PositionBroadcast
    let interval: Duration
    let logger: Logger
    private let toldOfUnreadable = LoggedOrders()

    init(
        inbox: PositionInbox, index: PositionIndex, record: RecordPositions, announce: AnnounceNearby,
        broadcast: PositionBroadcast, interval: Duration, logger: Logger
    ) {
        self.inbox = inbox
        self.index = index
        self.record = record
        self.announce = announce
        self.broadcast = broadcast
        self.interval = interval
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await flush()
                do { try await record.pool.thread.sleep(until: .now + interval) } catch { return }
            }
        }
        await flush()
    }

    func flush() async {
        var waiting = inbox.takeAll()[...]
        if waiting.isEmpty { await broadcast.repeatMissed() }
        while !waiting.isEmpty {
            let batch = Array(waiting.prefix(Self.batchLimit))
            do {
                let outcome = try await record(batch)
                waiting = waiting.dropFirst(batch.count)
                PositionMetrics.recorded(taken: batch.count - outcome.droppedCount, dropped: outcome.droppedCount)
                await tell(outcome)
            } catch {
                // The reports are written again with the next ones; a report that was written after all is not newer
                // then and changes nothing.
                inbox.putBack(waiting)
                logger.warning(
                    "positions not written",
                    metadata: [LogKeys.error: "\(error)", LogKeys.count: "\(waiting.count)"])
                return
            }
        }
    }

    private func tell(_ outcome: RecordPositions.Outcome) async {
        for order in outcome.unreadable where toldOfUnreadable.isFirst(order) {
            logger.error(
                "the order's odometer cannot be read and stands still", metadata: [LogKeys.orderID: "\(order)"])
        }
        index.put(
            outcome.positions.lazy.map { (provider: $0.provider, fix: Fix(place: GeoPoint($0.place), at: $0.at)) })
        await broadcast(outcome.positions)
        for arrival in outcome.arrivals {
            do {
                try await announce(arrival)
            } catch {
                // The order is not marked as announced, so the provider's next position tries again.
                logger.warning(
                    "nearby not announced", metadata: [LogKeys.error: "\(error)", LogKeys.orderID: "\(arrival.order)"])
            }
        }
    }
}
