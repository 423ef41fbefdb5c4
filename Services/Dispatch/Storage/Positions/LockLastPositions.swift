import Foundation
import Matching
import Postgres

/// Where these providers were last, held until the end of the transaction. In one order, so that two processes that
/// write the same providers wait for one another instead of locking up.
struct LockLastPositions: Statement {
    static let sql: StaticString = """
        SELECT provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at FROM provider_positions
        WHERE provider = ANY ($1) ORDER BY provider FOR UPDATE
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (provider: UUID, fix: Fix, stay: Stay) {
        let provider: UUID = try row.next()
        let fix = try row.nextFix()
        return (provider, fix, try row.nextStay() ?? Stay(since: fix))
    }
}

struct StoredPosition: Sendable {
    let provider: UUID
    let fix: Fix
}

extension RowReader {
    /// provider, latitude, longitude, at
    mutating func nextStoredPosition() throws(PostgresError) -> StoredPosition {
        StoredPosition(provider: try next(), fix: try nextFix())
    }

    /// The same of the place since when somebody stays, or nothing.
    mutating func nextStay() throws(PostgresError) -> Stay? {
        let (latitude, longitude, at): (Double?, Double?, Date?) = (try next(), try next(), try next())
        guard let latitude, let longitude, let at else { return nil }
        return Stay(since: Fix(place: GeoPoint(latitude: latitude, longitude: longitude), at: at))
    }

    /// latitude, longitude, at
    mutating func nextFix() throws(PostgresError) -> Fix {
        Fix(place: GeoPoint(latitude: try next(), longitude: try next()), at: try next())
    }
}
