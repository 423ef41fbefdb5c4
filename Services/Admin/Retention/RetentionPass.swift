import Contracts
import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Deletes ended orders with their timelines, ratings, reports and payments when the market's `retentionMonths` since the
/// request are over, and keeps the sums of their days (Q9). Orders with an open report or with money on hold stay, as open
/// orders do.
///
/// Any number of processes may run this; each batch locks at most 500 orders and skips those that are locked.
struct RetentionPass: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 500

    let pool: PostgresPool
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "what is too old was not forgotten") {
            try await pass(at: clock())
        }
    }

    func pass(at now: Date) async throws {
        for market in Market.all {
            let settings = EffectiveSettings(market, try await pool.query(ListSettings(market: market.id))).settings
            let before = settings.retentionStart(before: now)
            // Told first: what is heard of a deleted order does not bring it back.
            try await pool.execute(TellForgotten(market: market.id, before: before))
            try await pool.executeInBatches(
                of: Self.batch,
                ForgetOldOrders(
                    market: market.id, before: before, timeZone: settings.timeZone, limit: Self.batch))
        }
    }
}

extension Feature {
    static func retention(_ routes: AdminRoutes) -> Feature {
        Feature(
            "retention",
            working: [
                ServiceComponent(
                    "retention", stage: .background,
                    RetentionPass(pool: routes.pool, clock: routes.clock, logger: routes.logger))
            ])
    }
}
