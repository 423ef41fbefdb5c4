import Foundation
import Postgres

/// Reads an order's odometer with its start; no row before the first position.
struct ReadFullOdometer: Statement {
    static let sql: SQL =
        "SELECT metres, latitude, longitude, at, walk FROM order_odometers WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Odometer {
        let metres: Double = try row.next()
        let base = try row.nextFix()
        return StoredOdometerState.odometer(metres: metres, base: base, try row.nextWalk())
    }
}

extension RowReader {
    /// Nil if the walk cannot be decoded; the odometer then continues from its current place.
    mutating func nextWalk() throws(PostgresError) -> StoredOdometerState? {
        let json: PostgresJSON? = try next()
        // Only this program writes the walk, and the metres have a column of their own.
        return json.flatMap { try? JSONDecoder().decode(StoredOdometerState.self, from: Data($0.text)) }
    }
}
