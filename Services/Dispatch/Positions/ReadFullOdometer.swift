import Foundation
import Postgres

/// Reads an order's odometer with its start; no row before the first position.
struct ReadFullOdometer: Statement {
    static let sql: SQL =
        "SELECT metres, latitude, longitude, at, walk FROM order_odometers WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredWay {
        let metres: Double = try row.next()
        let base = try row.nextFix()
        return switch try row.nextWalk() {
        case .none: .measured(StoredOdometerState.odometer(metres: metres, base: base, nil))
        case .stored(let walk): .measured(StoredOdometerState.odometer(metres: metres, base: base, walk))
        case .unreadable: .unreadable
        }
    }
}
