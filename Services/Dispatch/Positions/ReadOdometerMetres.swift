import Foundation
import Postgres

/// Reads the metres of an order's odometer since the acceptance; no row before the first position.
struct ReadOdometerMetres: Statement {
    static let sql: SQL = "SELECT metres FROM order_odometers WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Double { try row.next() }
}
