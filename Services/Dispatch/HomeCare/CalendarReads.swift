import Foundation
import Postgres

/// The open visits of a market, for the desk: those that wait for somebody too long already, then by time.
struct ListDesk: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details
        WHERE market = $1 AND kind = 'homeCare' AND NOT is_final AND coalesce(scheduled_at, requested_at) >= $2
            AND coalesce(scheduled_at, requested_at) < $3 AND ($4 = '' OR state = $4)
        ORDER BY (state = 'requested' AND particulars #>> '{homeCare,warnedAt}' IS NOT NULL) DESC,
            coalesce(scheduled_at, requested_at), id LIMIT $5
        """
    let market: String
    let from: Date
    let to: Date
    /// Empty means all.
    let state: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, state, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// The visits of a market that ended unpaid, by time, for the desk.
struct ListUnpaidVisits: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details
        WHERE market = $1 AND kind = 'homeCare' AND state = 'expired' AND reason = 'payment-window-over'
            AND coalesce(scheduled_at, requested_at) >= $2 AND coalesce(scheduled_at, requested_at) < $3
        ORDER BY coalesce(scheduled_at, requested_at), id LIMIT $4
        """
    let market: String
    let from: Date
    let to: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A provider's open orders in a market, by time.
struct ListCalendar: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details
        WHERE provider = $1 AND NOT is_final AND market = $2 AND coalesce(scheduled_at, requested_at) >= $3
            AND coalesce(scheduled_at, requested_at) < $4
        ORDER BY coalesce(scheduled_at, requested_at), id LIMIT $5
        """
    let provider: UUID
    let market: String
    let from: Date
    let to: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(provider, market, from, to, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}
