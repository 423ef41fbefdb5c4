import Foundation
import Postgres

/// Reads the metres of a ride since its start and the time of the last counted position; no row before the first
/// position.
struct ReadRideOdometer: Statement {
    static let sql: SQL = "SELECT metres, at FROM order_odometers WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (metres: Double, at: Date) {
        (try row.next(), try row.next())
    }
}
