import Foundation
import Matching
import Postgres

/// Where a provider was last, and since when the phone has told about that place.
struct FindStay: Statement {
    static let sql: StaticString = """
        SELECT latitude, longitude, at, stay_latitude, stay_longitude, stay_at FROM provider_positions
        WHERE provider = $1
        """
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (last: Fix, stay: Stay) {
        let last = try row.nextFix()
        return (last, try row.nextStay() ?? Stay(since: last))
    }
}
