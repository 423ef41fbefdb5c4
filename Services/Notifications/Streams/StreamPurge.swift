import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Deletes events after the time for resuming, and items after their retention time (Q9). Any number of processes may
/// run it.
struct StreamPurge: Service {
    static let batch = 10_000
    static let interval: Duration = .seconds(60)
    /// Longer than the life of an order; then its last version is forgotten.
    static let keepToldSeconds = 30.0 * 86_400

    let pool: PostgresPool
    let markets: LiveMarkets
    let keepSeconds: Double
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "streams not purged") {
            try await purge(at: clock())
        }
    }

    func purge(at now: Date) async throws {
        let events = PurgeStreamEvents(keepSeconds: keepSeconds, limit: Self.batch)
        try await pool.executeInBatches(of: Self.batch, events)
        let told = PurgeTold(keepSeconds: Self.keepToldSeconds, limit: Self.batch)
        try await pool.executeInBatches(of: Self.batch, told)
        // An item does not store its market, so the longest retention counts.
        guard let start = Market.all.map({ markets.retentionStart(of: $0, before: now) }).min() else { return }
        let items = PurgeItems(before: start, limit: Self.batch)
        try await pool.executeInBatches(of: Self.batch, items)
    }
}
