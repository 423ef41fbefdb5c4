import Foundation
import Matching
import Postgres

/// Where these providers were last, held until the end of the transaction. In one order, so that two processes that
/// write the same providers wait for one another instead of locking up.
struct LockLastPositions: Statement {
    static let sql: SQL = """
        SELECT provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at, told_at,
            steady_latitude, steady_longitude
        FROM provider_positions WHERE provider = ANY ($1) ORDER BY provider FOR UPDATE
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (provider: UUID, whereabouts: Whereabouts) {
        (try row.next(), try row.nextWhereabouts())
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

    /// The last place; the first of those that agree, with the times when that and the last one were told; the steady place.
    /// Of a row that a version before this one has made there is only the first.
    mutating func nextWhereabouts() throws(PostgresError) -> Whereabouts {
        let last = try nextFix()
        let since = try nextPlace()
        let (sinceAt, toldAt): (Date?, Date?) = (try next(), try next())
        let steady = try nextPlace()
        guard let since, let sinceAt, let toldAt, let steady else { return Whereabouts(last, toldAt: last.at) }
        return Whereabouts(
            last: last, stay: Stay(since: Fix(place: since, at: sinceAt), toldAt: toldAt), steady: steady)
    }

    /// latitude, longitude; or nothing.
    private mutating func nextPlace() throws(PostgresError) -> GeoPoint? {
        let (latitude, longitude): (Double?, Double?) = (try next(), try next())
        guard let latitude, let longitude else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// latitude, longitude, at
    mutating func nextFix() throws(PostgresError) -> Fix {
        Fix(place: GeoPoint(latitude: try next(), longitude: try next()), at: try next())
    }
}
