import Foundation
import Postgres

struct OrderExportRow: Sendable {
    let order: OrderRow
    let endedAt: Date?
    let method: String?
    let paymentState: String?
    let providerShare: Int?
    let platformShare: Int?
}

/// Lists orders for the export, oldest first. The range of days limits the part of the index; the rest of the filter
/// checks its rows.
struct ExportOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns), o.ended_at, p.method, p.state, p.provider_share, p.platform_share
        FROM orders AS o
        LEFT JOIN payments AS p ON p.order_id = o.id
        WHERE \(OrderFilter.condition) AND (o.requested_at, o.id) > ($13, $14)
        ORDER BY o.requested_at, o.id LIMIT $15
        """
    let filter: OrderFilter
    let after: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        after.bind(&bindings)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderExportRow {
        OrderExportRow(
            order: try OrderRow(&row), endedAt: try row.next(), method: try row.next(), paymentState: try row.next(),
            providerShare: try row.next(), platformShare: try row.next())
    }
}

/// Counts matching orders up to the limit.
struct CountOrders: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM (SELECT FROM orders AS o WHERE \(OrderFilter.condition) LIMIT $13) AS counted
        """
    let filter: OrderFilter
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
