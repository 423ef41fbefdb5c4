import Foundation
import Postgres

/// Lists orders after an id, ordered by id, with their details and the time of the last acceptance.
struct ListOrdersToTell: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns),
            (SELECT accepted_at FROM orders WHERE orders.id = order_details.id)
        FROM order_details WHERE ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (details: OrderDetailsRow, acceptedAt: Date?) {
        (try OrderDetailsRow(&row), try row.next())
    }
}

/// Lists reports like ``ListReports``, for several orders.
struct ListReportsOfOrders: Statement {
    static let sql: SQL = """
        SELECT id, order_id, made_by, reason, note, cancels, at, answer, answered_at
        FROM reports WHERE order_id = ANY ($1::uuid[]) ORDER BY order_id, at, id
        """
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredReport { try ListReports.decode(&row) }
}
