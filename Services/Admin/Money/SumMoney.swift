import Contracts
import Foundation
import Postgres

/// Computes a market's money and orders by day from the current rows.
struct SumMoney: Sendable {
    let pool: PostgresPool

    func callAsFunction(_ days: MarketDays) async throws -> MoneyView {
        let range = days.range
        // One database snapshot, so that all sums are of the same moment.
        let (placed, completed, captured, released, held) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                CountOrdersByDay(days: days), CountCompletedByDay(days: days), SumCapturedByDay(days: days),
                SumReleasedByDay(days: days), SumHeld(market: days.market, currency: days.currency))
        }
        var byDay = Dictionary(uniqueKeysWithValues: range.days.map { ($0, MoneyView.Figures()) })
        for row in placed { byDay[row.day]?.orders[row.state, default: 0] += row.count }
        for row in completed { byDay[row.day]?.completed += row.count }
        for row in captured {
            byDay[row.day]?.revenue += row.amount
            byDay[row.day]?.cash += row.cash
            byDay[row.day]?.commission += row.platformShare
            byDay[row.day]?.paidToProviders += row.providerShare
        }
        for row in released { byDay[row.day]?.released += row.amount }
        return MoneyView(
            of: days, figures: byDay, held: held.first?.held ?? 0,
            promised: held.first?.promised ?? 0)
    }
}
