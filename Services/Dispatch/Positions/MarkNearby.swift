import Foundation
import Postgres

/// Marks an order's nearby notice; changes the row only the first time.
struct MarkNearby: Statement {
    static let sql: SQL =
        "UPDATE order_odometers SET nearby_at = now() WHERE order_id = $1 AND nearby_at IS NULL"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
