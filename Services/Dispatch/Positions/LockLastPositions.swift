import Foundation
import Matching
import Postgres

/// Locks the last positions of these providers until the end of the transaction. In a fixed order, so that two
/// processes that write the same providers wait for each other instead of deadlocking.
struct LockLastPositions: Statement {
    static let sql: SQL = """
        SELECT provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at, told_at,
            steady_latitude, steady_longitude, is_settled
        FROM provider_positions WHERE provider = ANY ($1) ORDER BY provider FOR UPDATE
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(
        _ row: inout RowReader
    ) throws(PostgresError) -> (provider: UUID, whereabouts: ProviderPositionState) {
        (try row.next(), try row.nextWhereabouts())
    }
}

struct StoredPosition: Sendable {
    let provider: UUID
    let fix: Fix
}

extension RowReader {
    /// Columns: provider, latitude, longitude, at.
    mutating func nextStoredPosition() throws(PostgresError) -> StoredPosition {
        StoredPosition(provider: try next(), fix: try nextFix())
    }

    /// Columns: the last position; the first agreeing position with its report time and the last report time; the
    /// steady place; whether it is settled. Rows of an older version only have the last position.
    mutating func nextWhereabouts() throws(PostgresError) -> ProviderPositionState {
        let last = try nextFix()
        let since = try nextPlace()
        let (sinceAt, toldAt): (Date?, Date?) = (try next(), try next())
        let steady = try nextPlace()
        let isSettled: Bool = try next()
        guard let since, let sinceAt, let toldAt, let steady else {
            return ProviderPositionState(last, toldAt: last.at)
        }
        return ProviderPositionState(
            last: last, stay: Stay(since: Fix(place: since, at: sinceAt), toldAt: toldAt), steady: steady,
            isSettled: isSettled)
    }

    /// Columns: latitude, longitude; both may be null.
    private mutating func nextPlace() throws(PostgresError) -> GeoPoint? {
        let (latitude, longitude): (Double?, Double?) = (try next(), try next())
        guard let latitude, let longitude else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// Columns: latitude, longitude, at.
    mutating func nextFix() throws(PostgresError) -> Fix {
        Fix(place: GeoPoint(latitude: try next(), longitude: try next()), at: try next())
    }
}
