import Contracts
import Foundation
import LiveMarkets
import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Forgets orders when each market's time for that is over (Q9), counted from when they were made: who had them, where, what
/// was said of them, and the way that was driven, which was kept for fines and disputes. What goes on is kept, however old.
/// A photo goes with the last order or dish that it is on, or a day after it was uploaded for none. Sums stay: earnings, sales
/// and stars. Any number of processes may run it; each takes a few rows at a time, which nobody waits for. Where a provider was
/// last is forgotten after a day, and who has mistyped promo codes, too.
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
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await pass(at: Date())
                } catch {
                    logger.warning("what is too old was not forgotten", metadata: ["error": "\(error)"])
                }
                do { try await pool.thread.sleep(until: .now + Self.interval) } catch { return }
            }
        }
    }

    func pass(at now: Date) async throws {
        for market in Market.all {
            let months = markets.settings(of: market.id)?.retentionMonths ?? market.defaults.retentionMonths
            let before = Self.start(of: months, before: now)
            try await repeated { DeleteOldOrders(market: market.id, before: before, limit: $0) }
            try await repeated { DeleteOldVisits(market: market.id, before: before, limit: $0) }
            try await repeated { DeleteOldSeries(market: market.id, before: before, limit: $0) }
        }
        let yesterday = now.addingTimeInterval(-Self.positionSeconds)
        try await repeated { DeleteOldPositions(before: yesterday, limit: $0) }
        // Their window is ten minutes.
        try await repeated { DeleteOldPromoMisses(before: yesterday, limit: $0) }
        // Behind the orders: what was on none but those goes at once.
        let unused = now.addingTimeInterval(-Self.photoSeconds)
        try await repeated { DeleteUnusedPhotos(before: unused, limit: $0) }
    }

    private func repeated(_ deletion: (_ limit: Int) -> some Statement) async throws {
        while try await pool.execute(deletion(Self.batch)) >= Self.batch { try Task.checkCancellation() }
    }

    /// So many months of the calendar before a moment, in UTC.
    static func start(of months: Int, before now: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(byAdding: .month, value: -months, to: now) ?? .distantPast
    }
}
