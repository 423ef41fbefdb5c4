import Foundation
import Postgres

/// Deletes ended orders of a market that were made before a moment, with all dependent rows: words, rating comments,
/// reports, codes, the quote and the driven way; most of them by their foreign keys. Skips rows that are locked; the next pass takes them.
struct DeleteOldOrders: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT id FROM orders WHERE market = $1 AND is_final AND requested_at < $2 AND coalesce(ended_at < $2, true)
            ORDER BY requested_at LIMIT $3 FOR UPDATE SKIP LOCKED
        ), odometers AS (
            DELETE FROM order_odometers USING old WHERE order_odometers.order_id = old.id
        ), trails AS (
            DELETE FROM order_trails USING old WHERE order_trails.order_id = old.id
        )
        DELETE FROM orders USING old WHERE orders.id = old.id
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Deletes visits of series whose time and whose day in the rule are before a moment. The day counts too, since a visit
/// may have been moved far ahead of its day; its day has been planned by then, so no run makes the visit again.
struct DeleteOldVisits: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT visit.series, visit.day FROM series_occurrences AS visit
            JOIN series ON series.id = visit.series AND series.market = $1
            WHERE visit.starts_at < $2 AND visit.day < ($2 AT TIME ZONE 'UTC')::date AND visit.state <> 'planned'
            ORDER BY visit.starts_at LIMIT $3 FOR UPDATE OF visit SKIP LOCKED
        )
        DELETE FROM series_occurrences AS visit USING old WHERE visit.series = old.series AND visit.day = old.day
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Series of a market that ended before a moment.
struct DeleteOldSeries: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT id FROM series WHERE market = $1 AND state = 'ended' AND ended_at < $2
            LIMIT $3 FOR UPDATE SKIP LOCKED
        )
        DELETE FROM series USING old WHERE series.id = old.id
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Empties the names that an earlier version has written beside orders' places; `people` has them. A companion's name
/// moves to `order_companions`.
struct ClearNamesInPlaces: Statement {
    static let sql: SQL = """
        WITH named AS (
            SELECT id, companion FROM orders
            WHERE customer_name IS NOT NULL OR provider_name IS NOT NULL OR companion IS NOT NULL
                OR particulars #>> '{homeCare,relative,name}' <> ''
            ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
        ), moved AS (
            INSERT INTO order_companions (order_id, name)
            SELECT id, companion FROM named WHERE companion IS NOT NULL ON CONFLICT DO NOTHING
        )
        UPDATE orders SET customer_name = NULL, provider_name = NULL, companion = NULL,
            particulars = CASE WHEN particulars #>> '{homeCare,relative,name}' <> ''
                THEN jsonb_set(particulars, '{homeCare,relative,name}', '""') ELSE particulars END
        FROM named WHERE orders.id = named.id
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}
