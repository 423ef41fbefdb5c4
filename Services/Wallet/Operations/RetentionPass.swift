import Contracts
import Foundation
import LiveMarkets
import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Forgets who paid whom for what when each market's time for that is over (Q9): names and titles of payments, names in
/// deposits, top-ups and cash-outs, and lines of statements. The ledger, and with it every sum, stays. Any number of processes may run it; each takes a few rows at a
/// time, which nobody else waits for long.
struct RetentionPass: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 500

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
            let (id, batch) = (market.id, Self.batch)
            try await pool.executeInBatches(of: batch, ForgetOldPayments(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, ForgetOldDeposits(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, ForgetOldTopUps(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, ForgetOldCashOuts(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, DeleteOldLines(market: id, before: before, limit: batch))
        }
    }

    /// So many months of the calendar before a moment, in UTC.
    static func start(of months: Int, before now: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(byAdding: .month, value: -months, to: now) ?? .distantPast
    }
}
