import Foundation
import Postgres

/// Inserts planned visits and returns the days of the new rows. An existing row stays: it was planned before, or the
/// customer has changed it.
struct InsertSeriesVisits: Statement {
    static let sql: SQL = """
        INSERT INTO series_occurrences (series, day, starts_at, state)
        SELECT $1, visit.day::date, visit.starts_at, visit.state
        FROM unnest($2::text[], $3::timestamptz[], $4::text[]) AS visit (day, starts_at, state)
        ON CONFLICT (series, day) DO NOTHING
        RETURNING to_char(day, 'YYYY-MM-DD')
        """
    let series: UUID
    let visits: [SeriesVisit]
    func bind(_ bindings: inout Bindings) {
        bindings.append(series)
        bindings.append(columnsOf: visits, \.day.text, \.startsAt, \.state.rawValue)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Stores a visit; the caller holds the series' lock.
struct StoreSeriesVisit: Statement {
    static let sql: SQL = """
        INSERT INTO series_occurrences (series, day, starts_at, state, is_moved, order_id, reason, price_notices)
        VALUES ($1, $2::text::date, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (series, day) DO UPDATE SET starts_at = excluded.starts_at, state = excluded.state,
            is_moved = excluded.is_moved, order_id = excluded.order_id, reason = excluded.reason,
            price_notices = excluded.price_notices
        """
    let series: UUID
    let visit: SeriesVisit
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            series, visit.day.text, visit.startsAt, visit.state.rawValue, visit.isMoved, visit.order, visit.reason,
            visit.priceNotices)
    }
}

struct FindSeriesVisit: Statement {
    static let sql: SQL = """
        SELECT to_char(day, 'YYYY-MM-DD'), starts_at, state, is_moved, order_id, reason, price_notices
        FROM series_occurrences WHERE series = $1 AND day = $2::text::date
        """
    let series: UUID
    let day: LocalDay
    func bind(_ bindings: inout Bindings) { bindings.append(series, day.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesVisitRow { try SeriesVisitRow(&row) }
}

/// Finds another visit of the series at the same time and returns its day.
struct FindSeriesVisitAt: Statement {
    static let sql: SQL = """
        SELECT to_char(day, 'YYYY-MM-DD') FROM series_occurrences
        WHERE series = $1 AND starts_at = $2 AND day <> $3::text::date AND state IN ('planned', 'requested') LIMIT 1
        """
    let series: UUID
    let startsAt: Date
    let except: LocalDay
    func bind(_ bindings: inout Bindings) { bindings.append(series, startsAt, except.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Lists the visits of a range of days, in order.
struct ListSeriesVisits: Statement {
    static let sql: SQL = """
        SELECT to_char(day, 'YYYY-MM-DD'), starts_at, state, is_moved, order_id, reason, price_notices
        FROM series_occurrences WHERE series = $1 AND day BETWEEN $2::text::date AND $3::text::date
        ORDER BY day LIMIT $4
        """
    let series: UUID
    let first: LocalDay
    let last: LocalDay
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(series, first.text, last.text, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesVisitRow { try SeriesVisitRow(&row) }
}

/// Lists visits like ``ListSeriesVisits``, each with the current state of its order, for the calendar.
struct ListSeriesCalendar: Statement {
    static let sql: SQL = """
        SELECT to_char(visit.day, 'YYYY-MM-DD'), visit.starts_at, visit.state, visit.is_moved, visit.order_id,
            visit.reason, visit.price_notices, orders.state, orders.scheduled_at, orders.payment_state, orders.deadline
        FROM series_occurrences AS visit LEFT JOIN orders ON orders.id = visit.order_id
        WHERE visit.series = $1 AND visit.day BETWEEN $2::text::date AND $3::text::date
        ORDER BY visit.day LIMIT $4
        """
    let series: UUID
    let first: LocalDay
    let last: LocalDay
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(series, first.text, last.text, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesCalendarRow {
        try SeriesCalendarRow(&row)
    }
}

/// A visit with its order, if it has one that was not deleted after its retention time.
struct SeriesCalendarRow: Sendable {
    /// The parts of an order that the calendar shows.
    struct Order: Sendable, Equatable {
        let state: String
        let scheduledAt: Date?
        let payment: String
        let deadline: Date?
    }

    let visit: SeriesVisitRow
    let order: Order?

    init(_ row: inout RowReader) throws(PostgresError) {
        visit = try SeriesVisitRow(&row)
        let state: String? = try row.next()
        let scheduledAt: Date? = try row.next()
        let payment: String? = try row.next()
        let deadline: Date? = try row.next()
        order = state.map {
            Order(state: $0, scheduledAt: scheduledAt, payment: payment ?? "unpaid", deadline: deadline)
        }
    }
}

/// Lists the next planned visits without an order, soonest first.
struct ListPlannedVisits: Statement {
    static let sql: SQL = """
        SELECT to_char(day, 'YYYY-MM-DD'), starts_at, state, is_moved, order_id, reason, price_notices
        FROM series_occurrences WHERE series = $1 AND state = 'planned' ORDER BY starts_at LIMIT $2
        """
    let series: UUID
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(series, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesVisitRow { try SeriesVisitRow(&row) }
}

/// Deletes the visits without an order of a series that has ended.
struct DeletePlannedVisits: Statement {
    static let sql: SQL = "DELETE FROM series_occurrences WHERE series = $1 AND state = 'planned'"
    let series: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(series) }
}
