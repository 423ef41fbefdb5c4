import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Forgets orders when each market's time for that is over (Q9), counted from when they were made.
///
/// Who had them goes, where, what was said of them, and the way that was driven, which was kept for fines and disputes.
/// What goes on is kept, however old. A photo goes with the last order or dish that it is on, or a day after it was
/// uploaded for none. Sums stay: earnings, sales and stars. Where a provider was last is forgotten after a day, and who
/// has mistyped promo codes, too. Any number of processes may run it; each takes a few rows at a time, for which nobody
/// waits.
struct RetentionPass: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 500
    /// For how long it is kept where a provider was last; nobody is found by a place that old.
    static let positionSeconds: TimeInterval = 86_400
    /// For how long a photo is kept that is on nothing.
    static let photoSeconds: TimeInterval = 86_400

    let pool: PostgresPool
    let markets: LiveMarkets
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "what is too old was not forgotten") {
            try await pass(at: Date())
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
        let yesterday = now.addingTimeInterval(-Self.positionSeconds)
        try await pool.executeInBatches(of: Self.batch, DeleteOldPositions(before: yesterday, limit: Self.batch))
        // Their window is ten minutes.
        try await pool.executeInBatches(of: Self.batch, DeleteOldPromoMisses(before: yesterday, limit: Self.batch))
        // Behind the orders: what was on none but those goes at once.
        let unused = now.addingTimeInterval(-Self.photoSeconds)
        try await pool.executeInBatches(of: Self.batch, DeleteUnusedPhotos(before: unused, limit: Self.batch))
    }
}
