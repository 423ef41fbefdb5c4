import Foundation
import Postgres

/// Which of a market's series are listed.
struct SeriesFilter: Sendable {
    let market: String
    let customer: UUID?
    let state: String?
    /// A folded part of the customer's name.
    let name: String?

    /// The parameters `$1` to `$4`. What is not asked for is NULL.
    static let condition: SQL = """
        series.market = $1 AND ($2::uuid IS NULL OR series.customer = $2) AND ($3::text IS NULL OR series.state = $3)
        AND ($4::text IS NULL OR strpos(people.search_name, $4) > 0)
        """

    func bind(_ bindings: inout Bindings) { bindings.append(market, customer, state, name) }
}

/// A series with its customer and its next visit.
struct DeskSeriesRow: Sendable {
    let series: SeriesRow
    let customer: Order.Party
    /// The next visit that has a row.
    let nextPlanned: Date?
    /// Days that are not planned yet, and whose visits the customer has changed.
    let changedDays: [String]

    static let columns: SQL = """
        series.id, series.market, series.customer, services, latitude, longitude, description, preferred, recipient, rule,
        to_char(first_day, 'YYYY-MM-DD'), minute, exceptions, to_char(planned_through, 'YYYY-MM-DD'), series.state,
        created_at, ended_at, ended_reason, currency, method, card, agreed_at, by_desk,
            agreed_total, ordered_by, parcel,
        series.customer, coalesce(people.name, '')
        """

    /// The visits of a row, with the time as `$7`.
    static let visits: SQL = """
        (SELECT min(starts_at) FROM series_occurrences AS visit
        WHERE visit.series = series.id AND visit.starts_at > $7 AND visit.state IN ('planned', 'requested')),
        ARRAY(
            SELECT to_char(visit.day, 'YYYY-MM-DD') FROM series_occurrences AS visit
            WHERE visit.series = series.id AND visit.day > coalesce(series.planned_through, '-infinity'::date))
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        series = try SeriesRow(&row)
        customer = Order.Party(account: try row.next(), name: try row.next())
        nextPlanned = try row.next()
        changedDays = try row.next()
    }

    /// The next visit of an active series: one that has a row, or that follows from the rule later.
    func nextAt(of series: Series, on clock: ZonedClock?, at now: Date) throws -> Date? {
        guard series.state == .active, let clock else { return nil }
        let known = Set(changedDays.compactMap { LocalDay($0) })
        let today = clock.wall(at: now).day
        let first = max(series.plannedThrough?.advanced(by: 1) ?? series.firstDay, today)
        let last = min(first.advanced(by: SeriesReader.longestWindowDays), .last)
        // One more than may be left out: the day of now may be over, and each of the known days has a row.
        let coming = try series.recurrence(on: clock)
            .occurrences(from: first, through: last, limit: known.count + 2)
            .first { !known.contains($0.day) && $0.startsAt > now }
        return [nextPlanned, coming?.startsAt].compactMap { $0 }.min()
    }
}

// A statement for each index that a list follows. The next visit is looked for among the visits of each series of a page.

/// Lists a market's series, newest first.
struct ListSeriesOfMarket: Statement {
    static let sql: SQL = """
        SELECT \(DeskSeriesRow.columns), \(DeskSeriesRow.visits)
        FROM series LEFT JOIN people ON people.account = series.customer
        WHERE \(SeriesFilter.condition) AND ($5::uuid IS NULL OR series.id < $5)
        ORDER BY series.id DESC LIMIT $6
        """
    let filter: SeriesFilter
    let after: UUID?
    let limit: Int
    let now: Date
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        bindings.append(after, limit, now)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeskSeriesRow { try DeskSeriesRow(&row) }
}

/// Lists a customer's series in a market, newest first.
struct ListSeriesOfCustomer: Statement {
    static let sql: SQL = """
        SELECT \(DeskSeriesRow.columns), \(DeskSeriesRow.visits)
        FROM series LEFT JOIN people ON people.account = series.customer
        WHERE \(SeriesFilter.condition) AND series.customer = $2 AND ($5::uuid IS NULL OR series.id < $5)
        ORDER BY series.id DESC LIMIT $6
        """
    let filter: SeriesFilter
    let after: UUID?
    let limit: Int
    let now: Date
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        bindings.append(after, limit, now)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeskSeriesRow { try DeskSeriesRow(&row) }
}

struct FindCustomerName: Statement {
    static let sql: SQL = "SELECT name FROM people WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
