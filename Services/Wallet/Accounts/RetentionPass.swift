import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Removes personal data when a market's retention time is over (Q9): names and titles of payments, names in deposits,
/// top-ups and cash-outs, and statement lines. The ledger, and with it every sum, stays.
///
/// Any number of processes may run it; each locks only a few rows at a time.
struct RetentionPass: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 500

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
            try await pool.executeInBatches(of: batch, ForgetOldPayments(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, ForgetOldDeposits(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, ForgetOldTopUps(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, ForgetOldCashOuts(market: id, before: before, limit: batch))
            try await pool.executeInBatches(of: batch, DeleteOldLines(market: id, before: before, limit: batch))
        }
    }
}
