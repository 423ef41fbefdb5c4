import Contracts
import Foundation
import Postgres

/// Computes a market's statistics by day.
struct CollectStatistics: Sendable {
    let pool: PostgresPool

    func callAsFunction(_ days: MarketDays) async throws -> StatisticsView {
        let range = days.range
        let (placed, accepted, completed, ratings, registered, roles) = try await pool.withTransaction(.readOnly) {
            transaction in
            try await transaction.queryAll(
                CountOrdersByDay(days: days), AcceptanceByDay(days: days), CompletionByDay(days: days),
                RatingsByDay(days: days), RegisteredByDay(days: days), CountRoles(market: days.market))
        }
        var byDay = Dictionary(uniqueKeysWithValues: range.days.map { ($0, StatisticsView.Day(day: $0)) })
        for row in placed { byDay[row.day]?.orders[row.state, default: 0] += row.count }
        for row in accepted {
            byDay[row.day]?.accepted = row.count
            byDay[row.day]?.meanAcceptanceSeconds = row.meanSeconds.map { Int($0.rounded()) }
        }
        for row in completed {
            byDay[row.day]?.completed = row.count
            byDay[row.day]?.meanCompletionSeconds = row.meanSeconds.map { Int($0.rounded()) }
        }
        for row in ratings {
            let stars = StatisticsView.Stars(count: row.count, mean: (row.mean * 100).rounded() / 100)
            switch row.actor {
            case "customer": byDay[row.day]?.starsByCustomers = stars
            case "provider": byDay[row.day]?.starsByProviders = stars
            case "merchant": byDay[row.day]?.starsByMerchants = stars
            default: break
            }
        }
        for row in registered { byDay[row.day]?.registered = row.count }
        return StatisticsView(
            market: days.market, timeZone: range.timeZone,
            days: range.days.map { byDay[$0] ?? StatisticsView.Day(day: $0) },
            people: Dictionary(roles.map { ($0.role, $0.count) }) { first, _ in first })
    }
}
