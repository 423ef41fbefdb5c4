import Foundation
import Postgres

/// Stores the meeting. Does not count as a change of the order; the version stays.
struct StoreMeeting: Statement {
    static let sql: SQL = "UPDATE orders SET met_provider = $2, met_at = $3 WHERE id = $1"
    let order: UUID
    let provider: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, at) }
}

/// Finds the last meeting that the customer reported; no row if there is none.
struct FindMeeting: Statement {
    static let sql: SQL =
        "SELECT met_provider, met_at FROM orders WHERE id = $1 AND met_provider IS NOT NULL AND met_at IS NOT NULL"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (provider: UUID, at: Date) {
        (try row.next(), try row.next())
    }
}
