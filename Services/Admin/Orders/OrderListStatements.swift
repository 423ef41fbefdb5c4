import Foundation
import Postgres

struct OrderRow: Sendable {
    /// An encoded ``OrderSnapshot``.
    let snapshot: PostgresJSON
    let companion: String?
    let position: ListPosition

    init(_ row: inout RowReader) throws(PostgresError) {
        snapshot = try row.next()
        companion = try row.next()
        position = ListPosition(at: try row.next(), id: try row.next())
    }
}

/// A filter for a market's orders.
struct OrderFilter: Sendable {
    let market: String
    var state: String?
    var customer: UUID?
    var provider: UUID?
    /// The earliest time of the request.
    var start: Date = .distantPast
    /// The end of the range, exclusive.
    var end: Date = .distantFuture
}

// One statement per index that a list can follow; the remaining filter then checks few rows.

struct ListOrders: Statement {
    static let sql: SQL = """
        SELECT snapshot, companion, requested_at, id FROM orders
        WHERE market = $1 AND requested_at >= $2 AND requested_at < $3 AND (requested_at, id) < ($4, $5)
        ORDER BY requested_at DESC, id DESC LIMIT $6
        """
    let filter: OrderFilter
    let before: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(filter.market, filter.start, filter.end)
        before.bind(&bindings)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersInState: Statement {
    static let sql: SQL = """
        SELECT snapshot, companion, requested_at, id FROM orders
        WHERE market = $1 AND requested_at >= $2 AND requested_at < $3 AND (requested_at, id) < ($4, $5)
          AND state = $7
        ORDER BY requested_at DESC, id DESC LIMIT $6
        """
    let filter: OrderFilter
    let state: String
    let before: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        ListOrders(filter: filter, before: before, limit: limit).bind(&bindings)
        bindings.append(state)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersOfCustomer: Statement {
    static let sql: SQL = """
        SELECT snapshot, companion, requested_at, id FROM orders
        WHERE market = $1 AND requested_at >= $2 AND requested_at < $3 AND (requested_at, id) < ($4, $5)
          AND customer = $7 AND ($8::text IS NULL OR state = $8) AND ($9::uuid IS NULL OR provider = $9)
        ORDER BY requested_at DESC, id DESC LIMIT $6
        """
    let filter: OrderFilter
    let customer: UUID
    let before: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        ListOrders(filter: filter, before: before, limit: limit).bind(&bindings)
        bindings.append(customer, filter.state, filter.provider)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersOfProvider: Statement {
    static let sql: SQL = """
        SELECT snapshot, companion, requested_at, id FROM orders
        WHERE market = $1 AND requested_at >= $2 AND requested_at < $3 AND (requested_at, id) < ($4, $5)
          AND provider = $7 AND ($8::text IS NULL OR state = $8)
        ORDER BY requested_at DESC, id DESC LIMIT $6
        """
    let filter: OrderFilter
    let provider: UUID
    let before: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        ListOrders(filter: filter, before: before, limit: limit).bind(&bindings)
        bindings.append(provider, filter.state)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}
