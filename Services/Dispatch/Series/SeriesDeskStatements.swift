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
    let nextAt: Date?

    static let columns: SQL = """
        series.id, series.market, series.customer, services, latitude, longitude, description, preferred, recipient, rule,
        to_char(first_day, 'YYYY-MM-DD'), minute, exceptions, to_char(planned_through, 'YYYY-MM-DD'), series.state,
        created_at, ended_at, ended_reason, currency, method, card, agreed_at, agreed_total, ordered_by, parcel,
        series.customer, coalesce(people.name, '')
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        series = try SeriesRow(&row)
        customer = Order.Party(account: try row.next(), name: try row.next())
        nextAt = try row.next()
    }
}

// A statement for each index that a list follows. The next visit is looked for among the visits of each series of a page.

/// Lists a market's series, newest first.
struct ListSeriesOfMarket: Statement {
    static let sql: SQL = """
        SELECT \(DeskSeriesRow.columns), (
            SELECT min(starts_at) FROM series_occurrences AS visit
            WHERE visit.series = series.id AND visit.starts_at > $7 AND visit.state IN ('planned', 'requested'))
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
        SELECT \(DeskSeriesRow.columns), (
            SELECT min(starts_at) FROM series_occurrences AS visit
            WHERE visit.series = series.id AND visit.starts_at > $7 AND visit.state IN ('planned', 'requested'))
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

struct FindSeriesForDesk: Statement {
    static let sql: SQL = """
        SELECT \(DeskSeriesRow.columns), (
            SELECT min(starts_at) FROM series_occurrences AS visit
            WHERE visit.series = series.id AND visit.starts_at > $2 AND visit.state IN ('planned', 'requested'))
        FROM series LEFT JOIN people ON people.account = series.customer WHERE series.id = $1
        """
    let series: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(series, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeskSeriesRow { try DeskSeriesRow(&row) }
}
