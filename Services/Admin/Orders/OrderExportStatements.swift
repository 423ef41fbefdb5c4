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

/// Lists orders for the export, oldest first. The range of days limits the part of the index; the other filters may be
/// NULL.
struct ExportOrders: Statement {
    static let sql: SQL = """
        SELECT o.snapshot, o.companion, o.requested_at, o.id, o.ended_at, p.method, p.state, p.provider_share,
               p.platform_share
        FROM orders AS o
        LEFT JOIN payments AS p ON p.order_id = o.id
        WHERE o.market = $1 AND o.requested_at >= $2 AND o.requested_at < $3
          AND ($4::text IS NULL OR o.state = $4) AND ($5::uuid IS NULL OR o.customer = $5)
          AND ($6::uuid IS NULL OR o.provider = $6) AND (o.requested_at, o.id) > ($7, $8)
        ORDER BY o.requested_at, o.id LIMIT $9
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
        SELECT count(*) FROM (
            SELECT FROM orders AS o
            WHERE o.market = $1 AND o.requested_at >= $2 AND o.requested_at < $3
              AND ($4::text IS NULL OR o.state = $4) AND ($5::uuid IS NULL OR o.customer = $5)
              AND ($6::uuid IS NULL OR o.provider = $6)
            LIMIT $7
        ) AS counted
        """
    let filter: OrderFilter
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

extension OrderFilter {
    fileprivate func bind(_ bindings: inout Bindings) { bindings.append(market, start, end, state, customer, provider) }
}
