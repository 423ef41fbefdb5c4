import Foundation
import Matching
import Postgres

struct FindLastPosition: Statement {
    static let sql: SQL = "SELECT latitude, longitude, at FROM provider_positions WHERE provider = $1"
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Fix { try row.nextFix() }
}
