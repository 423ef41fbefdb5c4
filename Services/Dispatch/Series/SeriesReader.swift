import Contracts
import Foundation
import Postgres

/// Reads series and their visits: for their customer, and single ones for the market's admins.
struct SeriesReader: Sendable {
    /// The longest span of a list of visits, in days from its first day.
    static let longestWindowDays = 366

    let pool: PostgresPool
    let clock: MarketClock

    /// - Parameter market: nil means all.
    func list(of customer: UUID, in market: String?, after: UUID?, limit: Int) async throws -> [Series] {
        let list = ListSeries(customer: customer, market: market, after: after, limit: limit)
        return try await pool.query(list).map { try $0.series() }
    }

    /// - Parameter isReader: whether the caller may read a series of another account.
    /// - Throws: ``SeriesRefusal/notFound``
    func find(_ id: UUID, for caller: UUID, _ isReader: (Series) -> Bool = { _ in false }) async throws -> Series {
        guard let series = try await pool.first(FindSeries(series: id))?.series(),
            series.customer == caller || isReader(series)
        else { throw SeriesRefusal.notFound }
        return series
    }

    /// Lists visits from a day on: those that have rows and, while the series runs, those that follow from the rule.
    func visits(
        of series: Series, from first: LocalDay?, limit: Int, at now: Date
    ) async throws -> [(visit: SeriesVisit, order: SeriesCalendarRow.Order?)] {
        guard let clock = self.clock(series.market) else { return [] }
        let first = first ?? clock.wall(at: now).day
        let last = min(first.advanced(by: Self.longestWindowDays), .last)
        let rows = try await pool.query(
            ListSeriesCalendar(series: series.id, first: first, last: last, limit: limit)
        ).compactMap { row in row.visit.visit.map { (visit: $0, order: row.order) } }
        guard series.state == .active else { return rows }
        let known = Set(rows.map(\.visit.day))
        let coming = try series.recurrence(on: clock).occurrences(from: first, through: last, limit: limit)
            .filter { !known.contains($0.day) && $0.startsAt > now }
            .map { (visit: SeriesVisit(day: $0.day, startsAt: $0.startsAt), order: SeriesCalendarRow.Order?.none) }
        return Array((rows + coming).sorted { $0.visit.day < $1.visit.day }.prefix(limit))
    }
}
