import Contracts
import Foundation
import Messaging
import Postgres

/// Goes on with payments whose orders have gone on without the wallet's hearing of it: once the database was set back, a
/// change that had been published before the moment, and was handled after it, is nowhere any more but in its order. Other
/// orders are left alone, also those that have no payment here.
enum FollowToldOrders {
    static func follow(
        _ told: OrdersTold, _ follow: ApplyOrderSnapshot, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let orders = told.orders.map(\.order)
        let behind = Set(try await transaction.query(ListPaymentsBehind(orders: orders)))
        // In the order of their ids, as the message has them.
        for order in orders where behind.contains(order.order) {
            do {
                try await follow(order, at: at, in: transaction)
            } catch is PoisonMessage {
                // The order's own event has been set aside for it, and says so; the other orders go on.
                continue
            }
        }
    }
}

/// Lists those of the orders of which an older version has been followed.
private struct ListPaymentsBehind: Statement {
    static let sql: SQL = """
        SELECT p.order_id FROM unnest($1::uuid[], $2::bigint[]) AS o (id, version)
        JOIN payments AS p ON p.order_id = o.id WHERE p.order_version < o.version
        """
    let orders: [OrderSnapshot]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: orders, \.order, \.version) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
