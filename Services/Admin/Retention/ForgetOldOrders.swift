import Foundation
import Postgres
import ServiceKit

/// Deletes old orders and adds what statistics and money show of them to the sums of their days.
struct ForgetOldOrders: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT id, state, requested_at, accepted_at, ended_at FROM orders
            WHERE market = $1 AND requested_at < $2 AND state IN ('completed', 'cancelled', 'refused', 'expired')
                AND NOT EXISTS (SELECT FROM reports WHERE reports.order_id = orders.id AND reports.state = 'open')
                AND NOT EXISTS (SELECT FROM payments WHERE payments.order_id = orders.id AND payments.state = 'held')
            ORDER BY requested_at LIMIT $4 FOR UPDATE SKIP LOCKED
        ), rated AS (
            DELETE FROM ratings USING old WHERE ratings.order_id = old.id
            RETURNING ratings.at, ratings.actor, ratings.stars
        ), paid AS (
            DELETE FROM payments USING old WHERE payments.order_id = old.id RETURNING payments.*
        ), told AS (
            DELETE FROM order_events USING old WHERE order_events.order_id = old.id
        ), reported AS (
            DELETE FROM reports USING old WHERE reports.order_id = old.id
        ), figures (moment, figure, label, total) AS (
            SELECT requested_at, 'orders', state, 0::numeric FROM old
            UNION ALL SELECT requested_at, 'accepted', '', extract(epoch FROM accepted_at - requested_at) FROM old
                WHERE accepted_at IS NOT NULL
            UNION ALL SELECT ended_at, 'completed', '', 0 FROM old WHERE state = 'completed' AND ended_at IS NOT NULL
            UNION ALL SELECT ended_at, 'completion', '', extract(epoch FROM ended_at - accepted_at) FROM old
                WHERE state = 'completed' AND ended_at IS NOT NULL AND accepted_at IS NOT NULL
            UNION ALL SELECT at, 'stars', actor, stars FROM rated
            UNION ALL SELECT captured_at, 'revenue', currency, amount FROM paid WHERE captured_at IS NOT NULL
            UNION ALL SELECT captured_at, 'cash', currency, amount FROM paid
                WHERE captured_at IS NOT NULL AND method = 'cash'
            UNION ALL SELECT captured_at, 'commission', currency, coalesce(platform_share, 0) FROM paid
                WHERE captured_at IS NOT NULL
            UNION ALL SELECT captured_at, 'providers', currency, coalesce(provider_share, 0) FROM paid
                WHERE captured_at IS NOT NULL
            UNION ALL SELECT released_at, 'released', currency, amount FROM paid
                WHERE released_at IS NOT NULL AND method IS DISTINCT FROM 'cash'
        ), kept AS (
            INSERT INTO sums_of_days AS s (market, day, figure, label, count, total)
            SELECT $1, to_char(moment AT TIME ZONE $3, 'YYYY-MM-DD'), figure, label, count(*), sum(total)
            FROM figures GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
            ON CONFLICT (market, day, figure, label) DO UPDATE
            SET count = s.count + excluded.count, total = s.total + excluded.total
        )
        DELETE FROM orders USING old WHERE orders.id = old.id
        """
    let market: String
    let before: Date
    let timeZone: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, timeZone, limit) }
}

/// The moment never goes back: what is deleted stays so, even where the market chooses a longer time later.
struct TellForgotten: Statement {
    static let sql: SQL = """
        INSERT INTO forgotten_orders AS f (market, before) VALUES ($1, $2)
        ON CONFLICT (market) DO UPDATE SET before = greatest(f.before, excluded.before)
        """
    let market: String
    let before: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, before) }
}

/// The sums of forgotten orders on each of the days.
struct ListSumsOfDays: Statement {
    struct Row: Sendable {
        let day: String
        let figure: String
        let label: String
        let count: Int
        let total: Double
    }

    static let sql: SQL = """
        SELECT day, figure, label, count, total::float8 FROM sums_of_days
        WHERE market = $1 AND day >= $2 AND day <= $3
        """
    let days: MarketDays
    func bind(_ bindings: inout Bindings) {
        bindings.append(days.market, days.range.days.first ?? "", days.range.days.last ?? "")
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            day: try row.next(), figure: try row.next(), label: try row.next(), count: try row.next(),
            total: try row.next())
    }
}
