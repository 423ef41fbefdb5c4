import Foundation
import Matching
import Postgres

/// Writes the newest. In the order of the providers, so that two processes that write the same ones, and have found no
/// rows to lock before, wait for one another instead of locking up.
struct StorePositions: Statement {
    static let sql: StaticString = """
        INSERT INTO provider_positions (provider, latitude, longitude, at)
        SELECT provider, latitude, longitude, at
        FROM unnest($1::uuid[], $2::float8[], $3::float8[], $4::timestamptz[]) AS given (provider, latitude, longitude, at)
        ORDER BY provider
        ON CONFLICT (provider) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
            at = excluded.at
        WHERE provider_positions.at < excluded.at
        """
    /// Each provider once.
    let reports: [PositionReport]
    func bind(_ bindings: inout Bindings) {
        bindings.append(reports.map(\.provider))
        bindings.append(reports.map(\.fix.place.latitude))
        bindings.append(reports.map(\.fix.place.longitude))
        bindings.append(reports.map(\.fix.at))
    }
}
