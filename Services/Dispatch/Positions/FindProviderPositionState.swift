import Foundation
import Postgres

/// A provider's last position, and since when the phone has reported about that place.
struct FindProviderPositionState: Statement {
    static let sql: SQL = """
        SELECT latitude, longitude, at, stay_latitude, stay_longitude, stay_at, told_at, steady_latitude, steady_longitude,
            is_settled
        FROM provider_positions WHERE provider = $1
        """
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ProviderPositionState {
        try row.nextWhereabouts()
    }
}
