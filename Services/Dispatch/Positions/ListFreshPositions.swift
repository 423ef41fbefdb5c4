import Foundation
import Postgres

/// Lists fresh positions, for the index of a process that starts or has lost the broker for a while.
struct ListFreshPositions: Statement {
    static let sql: SQL = "SELECT provider, latitude, longitude, at FROM provider_positions WHERE at >= $1"
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredPosition {
        try row.nextStoredPosition()
    }
}
