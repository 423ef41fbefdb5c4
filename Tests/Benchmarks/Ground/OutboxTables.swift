import Foundation
import Messaging
import Postgres

/// What the benchmark's services tell each other.
struct OrderPlaced: Message {
    static let name: MessageName = "orders.order.placed.v1"

    let order: UUID
    let customer: UUID
    let amountMinor: Int
    let currency: String

    var aggregate: String { order.text }

    static func random(_ generator: inout some RandomNumberGenerator) -> OrderPlaced {
        OrderPlaced(
            order: .timeOrdered(), customer: .timeOrdered(), amountMinor: .random(in: 100...100_000, using: &generator),
            currency: "SAR")
    }
}

enum OutboxTables {
    /// Receipts have no unique key of their own: only the inbox keeps an event from having two.
    static let migration = Migration(
        component: "bench", version: 1, name: "orders_and_receipts",
        sql: """
            CREATE TABLE orders (id uuid PRIMARY KEY, customer uuid NOT NULL, amount_minor bigint NOT NULL);
            CREATE TABLE receipts (order_id uuid NOT NULL, amount_minor bigint NOT NULL);
            """)
}

struct InsertOrder: Statement {
    static let sql: SQL = "INSERT INTO orders (id, customer, amount_minor) VALUES ($1, $2, $3)"
    let order: OrderPlaced
    func bind(_ bindings: inout Bindings) { bindings.append(order.order, order.customer, order.amountMinor) }
}

struct InsertOrders: Statement {
    static let sql: SQL = """
        INSERT INTO orders (id, customer, amount_minor) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[])
        """
    let orders: [OrderPlaced]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: orders, \.order, \.customer, \.amountMinor) }
}

struct InsertReceipt: Statement {
    static let sql: SQL = "INSERT INTO receipts (order_id, amount_minor) VALUES ($1, $2)"
    let order: OrderPlaced
    func bind(_ bindings: inout Bindings) { bindings.append(order.order, order.amountMinor) }
}

struct InsertReceipts: Statement {
    static let sql: SQL = """
        INSERT INTO receipts (order_id, amount_minor) SELECT * FROM unnest($1::uuid[], $2::bigint[])
        """
    let orders: [OrderPlaced]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: orders, \.order, \.amountMinor) }
}

struct CountOrders: Statement {
    static let sql: SQL = "SELECT count(*) FROM orders"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountReceipts: Statement {
    static let sql: SQL = "SELECT count(*), count(DISTINCT order_id) FROM receipts"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (rows: Int, distinct: Int) {
        (try row.next(), try row.next())
    }
}
