import Foundation
import Postgres

/// The odometer of an order with the place where it began; no row before the first position.
struct ReadWay: Statement {
    static let sql: SQL =
        "SELECT metres, latitude, longitude, at, walk FROM order_odometers WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Odometer {
        let metres: Double = try row.next()
        let base = try row.nextFix()
        return StoredWalk.odometer(metres: metres, base: base, try row.nextWalk())
    }
}

extension RowReader {
    /// A walk that cannot be read is none: the odometer goes on from its place.
    mutating func nextWalk() throws(PostgresError) -> StoredWalk? {
        let json: PostgresJSON? = try next()
        // Nobody but this program writes it, and the metres stand beside it.
        return json.flatMap { try? JSONDecoder().decode(StoredWalk.self, from: Data($0.text)) }
    }
}
