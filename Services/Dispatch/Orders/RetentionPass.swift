import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Deletes ended orders when the market's `retentionMonths` since their creation are over (Q9).
///
/// Names that an earlier version has written beside an order's places are emptied, too.
///
/// An order goes with its parties, place, words and driven way, which was kept for fines and disputes. Open orders
/// stay, however old. A photo goes with the last order or dish that uses it; an unused photo goes a day after the
/// upload. Sums of earnings, sales and stars stay. A provider's last position and the misses of promo codes are deleted
/// after a day. Any number of processes may run this; each batch locks at most 500 rows and skips rows that are locked.
struct RetentionPass: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 500
    /// Maximum age of a provider's last position; no search finds a provider by a position that old.
    static let positionSeconds: TimeInterval = 86_400
    /// Seconds for which an unused photo is kept.
    static let photoSeconds: TimeInterval = 86_400

    let pool: PostgresPool
    let markets: LiveMarkets
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "what is too old was not forgotten") {
            try await pass(at: clock())
        }
    }

    func pass(at now: Date) async throws {
        for market in Market.all {
            let before = markets.retentionStart(of: market, before: now)
            let (id, batch) = (market.id, Self.batch)
            try await pool.executeInBatches(of: batch, DeleteOldOrders(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, DeleteOldVisits(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, DeleteOldSeries(market: id, before: before, limit: batch))
        }
        try await pool.executeInBatches(of: Self.batch, ClearNamesInPlaces(limit: Self.batch))
        let yesterday = now.addingTimeInterval(-Self.positionSeconds)
        try await pool.executeInBatches(of: Self.batch, DeleteOldPositions(before: yesterday, limit: Self.batch))
        // The limit for misses counts only the last ten minutes.
        try await pool.executeInBatches(of: Self.batch, DeleteOldPromoMisses(before: yesterday, limit: Self.batch))
        // Runs after the deletion of orders, so that photos of deleted orders go in the same pass.
        let unused = now.addingTimeInterval(-Self.photoSeconds)
        try await pool.executeInBatches(of: Self.batch, DeleteUnusedPhotos(before: unused, limit: Self.batch))
    }
}
