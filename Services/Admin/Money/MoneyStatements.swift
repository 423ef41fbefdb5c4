import Foundation
import Postgres
import ServiceKit

/// A range of days in a market's zone, the parameter of the statements below.
struct MarketDays: Sendable {
    let market: String
    let currency: String
    let range: DayRange

    /// Binds $1 market, $2 zone, $3 start, $4 end.
    func bind(_ bindings: inout Bindings) { bindings.append(market, range.timeZone, range.start, range.end) }
}

/// Counts the orders requested on each day by their current state.
struct CountOrdersByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(requested_at AT TIME ZONE $2, 'YYYY-MM-DD'), state, count(*)
        FROM orders
        WHERE market = $1 AND requested_at >= $3 AND requested_at < $4
        GROUP BY 1, 2
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) { days.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (day: String, state: String, count: Int) {
        (try row.next(), try row.next(), try row.next())
    }
}

/// Counts the orders completed on each day.
struct CountCompletedByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(ended_at AT TIME ZONE $2, 'YYYY-MM-DD'), count(*)
        FROM orders
        WHERE market = $1 AND ended_at >= $3 AND ended_at < $4 AND state = 'completed'
        GROUP BY 1
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) { days.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (day: String, count: Int) {
        (try row.next(), try row.next())
    }
}

/// Sums the captured amounts of each day and their division.
struct SumCapturedByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(captured_at AT TIME ZONE $2, 'YYYY-MM-DD'), sum(amount)::bigint,
               coalesce(sum(amount) FILTER (WHERE method = 'cash'), 0)::bigint,
               coalesce(sum(platform_share), 0)::bigint, coalesce(sum(provider_share), 0)::bigint
        FROM payments
        WHERE market = $1 AND captured_at >= $3 AND captured_at < $4 AND currency = $5
        GROUP BY 1
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) {
        days.bind(&bindings)
        bindings.append(days.currency)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CapturedRow {
        CapturedRow(
            day: try row.next(), amount: try row.next(), cash: try row.next(), platformShare: try row.next(),
            providerShare: try row.next())
    }
}

struct CapturedRow: Sendable {
    let day: String
    let amount: Int
    let cash: Int
    let platformShare: Int
    let providerShare: Int
}

/// Sums the released amounts of each day. Cash is excluded, because it was never paid.
struct SumReleasedByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(released_at AT TIME ZONE $2, 'YYYY-MM-DD'), sum(amount)::bigint
        FROM payments
        WHERE market = $1 AND released_at >= $3 AND released_at < $4 AND currency = $5
          AND method IS DISTINCT FROM 'cash'
        GROUP BY 1
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) {
        days.bind(&bindings)
        bindings.append(days.currency)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (day: String, amount: Int) {
        (try row.next(), try row.next())
    }
}

/// Sums the amounts on hold at present, and those promised in cash.
struct SumHeld: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount) FILTER (WHERE method IS DISTINCT FROM 'cash'), 0)::bigint,
               coalesce(sum(amount) FILTER (WHERE method = 'cash'), 0)::bigint
        FROM payments WHERE market = $1 AND state = 'held' AND currency = $2
        """
    let market: String
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (held: Int, promised: Int) {
        (try row.next(), try row.next())
    }
}
