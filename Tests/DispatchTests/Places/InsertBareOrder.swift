import Foundation
import Postgres

/// An order with nothing but its id, for what has a key to it.
struct InsertBareOrder: Statement {
    static let sql: SQL = """
        INSERT INTO orders (
            id, market, kind, version, state, customer, customer_name, services, total, currency, payment_state,
            payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at, changed_at)
        VALUES ($1, 'btnc', 'ride', 1, 'pending', $1, 'Ruby', '[]', 0, 'AUD', 'unpaid', 0, '{}', 'customer', false, 0, 0,
            now(), now())
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
