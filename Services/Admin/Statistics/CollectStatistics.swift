import Contracts
import Foundation
import Postgres
import ServiceKit

/// Computes a market's statistics by day.
struct CollectStatistics: Sendable {
    let pool: PostgresPool

    func callAsFunction(_ days: MarketDays) async throws -> StatisticsView {
        let range = days.range
        let (placed, accepted, completed, ratings, registered, roles, kept) = try await pool.withTransaction(.readOnly)
        { transaction in
            try await transaction.queryAll(
                CountOrdersByDay(days: days), AcceptanceByDay(days: days), CompletionByDay(days: days),
                RatingsByDay(days: days), RegisteredByDay(days: days), CountRoles(market: days.market),
                ListSumsOfDays(days: days))
        }
        var byDay = Dictionary(uniqueKeysWithValues: range.days.map { ($0, StatisticsView.Day(day: $0)) })
        for row in placed { byDay[row.day]?.orders[row.state, default: 0] += row.count }
        for row in kept where row.figure == "orders" { byDay[row.day]?.orders[row.label, default: 0] += row.count }
        var means = Means(kept)
        for row in accepted { means.add("accepted", "", row.day, row.meanSeconds, of: row.timed) }
        for row in completed {
            byDay[row.day]?.completed += row.count
            means.add("completion", "", row.day, row.meanSeconds, of: row.timed)
        }
        for row in kept where row.figure == "completed" { byDay[row.day]?.completed += row.count }
        for row in ratings { means.add("stars", row.actor, row.day, row.mean, of: row.count) }
        for day in range.days {
            byDay[day]?.accepted = means["accepted", "", day]?.count ?? 0
            byDay[day]?.meanAcceptanceSeconds = means["accepted", "", day].map { Int($0.mean.rounded()) }
            byDay[day]?.meanCompletionSeconds = means["completion", "", day].map { Int($0.mean.rounded()) }
            byDay[day]?.starsByCustomers = means["stars", "customer", day].map(StatisticsView.Stars.init)
            byDay[day]?.starsByProviders = means["stars", "provider", day].map(StatisticsView.Stars.init)
            byDay[day]?.starsByMerchants = means["stars", "merchant", day].map(StatisticsView.Stars.init)
        }
        for row in registered { byDay[row.day]?.registered = row.count }
        return StatisticsView(
            market: days.market, timeZone: range.timeZone,
            days: range.days.map { byDay[$0] ?? StatisticsView.Day(day: $0) },
            people: Dictionary(roles.map { ($0.role, $0.count) }) { first, _ in first })
    }
}

/// A mean that can be continued.
struct Mean: Sendable, Equatable {
    private(set) var count = 0
    private(set) var total = 0.0
    var mean: Double { total / Double(count) }

    mutating func add(_ total: Double, of count: Int) {
        self.count += count
        self.total += total
    }
}

/// Means of each day, of the orders that are there together with those that were forgotten.
struct Means: Sendable {
    private struct Key: Hashable { let figure, label, day: String }

    private var means: [Key: Mean] = [:]

    init(_ kept: [ListSumsOfDays.Row]) {
        for row in kept {
            means[Key(figure: row.figure, label: row.label, day: row.day), default: Mean()].add(
                row.total, of: row.count)
        }
    }

    mutating func add(_ figure: String, _ label: String, _ day: String, _ mean: Double?, of count: Int) {
        guard let mean, count > 0 else { return }
        means[Key(figure: figure, label: label, day: day), default: Mean()].add(mean * Double(count), of: count)
    }

    /// Nil where there was nothing.
    subscript(_ figure: String, _ label: String, _ day: String) -> Mean? {
        means[Key(figure: figure, label: label, day: day)]
    }
}
