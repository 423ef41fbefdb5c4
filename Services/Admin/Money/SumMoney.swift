import Contracts
import Foundation
import Postgres
import ServiceKit

/// Computes a market's money and orders by day from the current rows.
struct SumMoney: Sendable {
    let pool: PostgresPool

    func callAsFunction(_ days: MarketDays) async throws -> MoneyView {
        let range = days.range
        // One database snapshot, so that all sums are of the same moment.
        let (placed, completed, captured, released, held, kept) = try await pool.withTransaction(.readOnly) {
            transaction in
            try await transaction.queryAll(
                CountOrdersByDay(days: days), CountCompletedByDay(days: days), SumCapturedByDay(days: days),
                SumReleasedByDay(days: days), SumHeld(market: days.market, currency: days.currency),
                ListSumsOfDays(days: days))
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
        for row in kept { byDay[row.day]?.add(row, in: days.currency) }
        return MoneyView(
            of: days, figures: byDay, held: held.first?.held ?? 0,
            promised: held.first?.promised ?? 0)
    }
}

extension MoneyView.Figures {
    /// Adds a sum of forgotten orders. Amounts are whole minor units, far below the numbers that a double counts exactly.
    mutating func add(_ kept: ListSumsOfDays.Row, in currency: String) {
        switch kept.figure {
        case "orders": orders[kept.label, default: 0] += kept.count
        case "completed": completed += kept.count
        case _ where kept.label != currency: break
        case "revenue": revenue += Int(kept.total)
        case "cash": cash += Int(kept.total)
        case "commission": commission += Int(kept.total)
        case "providers": paidToProviders += Int(kept.total)
        case "released": released += Int(kept.total)
        default: break
        }
    }
}
