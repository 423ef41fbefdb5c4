import Foundation
import Postgres

/// The mean time until acceptance of the orders requested on each day.
struct AcceptanceByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(requested_at AT TIME ZONE $2, 'YYYY-MM-DD'), count(*), count(*),
               avg(extract(epoch FROM accepted_at - requested_at))::float8
        FROM orders
        WHERE market = $1 AND requested_at >= $3 AND requested_at < $4 AND accepted_at IS NOT NULL
        GROUP BY 1
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) { days.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DurationRow { try DurationRow(&row) }
}

/// The mean time from acceptance to end of the orders completed on each day.
struct CompletionByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(ended_at AT TIME ZONE $2, 'YYYY-MM-DD'), count(*), count(accepted_at),
               avg(extract(epoch FROM ended_at - accepted_at))::float8
        FROM orders
        WHERE market = $1 AND ended_at >= $3 AND ended_at < $4 AND state = 'completed'
        GROUP BY 1
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) { days.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DurationRow { try DurationRow(&row) }
}

struct DurationRow: Sendable {
    let day: String
    let count: Int
    /// Those of them that have a time.
    let timed: Int
    let meanSeconds: Double?

    init(_ row: inout RowReader) throws(PostgresError) {
        day = try row.next()
        count = try row.next()
        timed = try row.next()
        meanSeconds = try row.next()
    }
}

/// The ratings given on each day, by the rating party.
struct RatingsByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(at AT TIME ZONE $2, 'YYYY-MM-DD'), actor, count(*), avg(stars)::float8
        FROM ratings WHERE market = $1 AND at >= $3 AND at < $4
        GROUP BY 1, 2
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) { days.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RatingsRow {
        RatingsRow(day: try row.next(), actor: try row.next(), count: try row.next(), mean: try row.next())
    }
}

struct RatingsRow: Sendable {
    let day: String
    let actor: String
    let count: Int
    let mean: Double
}

/// Counts the accounts registered on each day that have a role in the market.
struct RegisteredByDay: Statement {
    static let sql: SQL = """
        SELECT to_char(p.registered_at AT TIME ZONE $2, 'YYYY-MM-DD'), count(*)
        FROM people AS p
        JOIN people_of_markets AS m ON m.account = p.account AND m.market = $1
        WHERE p.registered_at >= $3 AND p.registered_at < $4
        GROUP BY 1
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) { days.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (day: String, count: Int) {
        (try row.next(), try row.next())
    }
}

/// Counts the people with each role in the market.
struct CountRoles: Statement {
    static let sql: SQL = """
        SELECT role, count(*) FROM people_of_markets, unnest(names) AS role WHERE market = $1 GROUP BY 1
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (role: String, count: Int) {
        (try row.next(), try row.next())
    }
}
