import Foundation
import Postgres

/// The filter of a list of a market's refunds, newest first.
struct RefundFilter: Sendable {
    let market: String
    let funder: Refund.Funder?
    let state: Refund.State?
    let customer: UUID?
    let order: UUID?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int
}

struct ListRefundsOfMarket: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, currency, amount, destination, funder, funder_account, reason, by, at, state
        FROM refunds
        WHERE market = $1 AND ($2::text IS NULL OR funder = $2) AND ($3::text IS NULL OR state = $3)
            AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)
            AND ($6::timestamptz IS NULL OR (at, id) < ($6, $7))
            AND ($9::uuid IS NULL OR customer = $9) AND ($10::uuid IS NULL OR order_id = $10)
        ORDER BY at DESC, id DESC LIMIT $8
        """
    let filter: RefundFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            filter.market, filter.funder?.rawValue, filter.state?.rawValue, filter.from, filter.to, filter.after?.at,
            filter.after?.id, filter.limit, filter.customer, filter.order)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Refund { try Refund(row: &row) }
}
