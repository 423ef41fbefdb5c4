import Foundation
import Postgres

/// For the index of a process that starts, or has heard nothing for a while.
struct ListFreshPositions: Statement {
    static let sql: SQL = "SELECT provider, latitude, longitude, at FROM provider_positions WHERE at >= $1"
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredPosition {
        try row.nextStoredPosition()
    }
}
