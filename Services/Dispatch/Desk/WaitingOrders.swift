import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// How many orders of a market wait for its admins.
struct WaitingOrdersView: ResponseEncodable, Encodable, Sendable {
    /// Visits to which nobody is assigned.
    let desk: Int
    /// Visits whose partner asks for another time.
    let timeChanges: Int
    /// Orders that wait longer than their window, and visits whose time is near with nobody to do them.
    let tooLong: Int
}

/// Counts the open orders of a market that wait for its admins. It reads the market's open orders by `orders_running` and
/// no ended one, so that the console may ask often; it shows nobody's data, so no look is recorded.
struct CountWaitingOrders: Statement {
    /// A window ends by itself within seconds; an order that has outlived its own by as much is stuck.
    static let graceSeconds: TimeInterval = 60

    static let sql: SQL = """
        SELECT count(*) FILTER (WHERE kind = 'homeCare' AND state = 'requested'),
            count(*) FILTER (WHERE proposed_at IS NOT NULL),
            count(*) FILTER (WHERE state <> 'disputed' AND deadline < $2
                OR kind = 'homeCare' AND state = 'requested' AND particulars #>> '{homeCare,warnedAt}' IS NOT NULL)
        FROM orders WHERE market = $1 AND NOT is_final
        """
    let market: String
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, now - Self.graceSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WaitingOrdersView {
        WaitingOrdersView(desk: try row.next(), timeChanges: try row.next(), tooLong: try row.next())
    }
}
