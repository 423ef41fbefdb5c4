import Foundation
import Matching
import Postgres

/// Writes the newest. In the order of the providers, so that two processes that write the same ones, and have found no
/// rows to lock before, wait for one another instead of locking up.
struct StorePositions: Statement {
    static let sql: StaticString = """
        INSERT INTO provider_positions (provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at)
        SELECT provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at
        FROM unnest($1::uuid[], $2::float8[], $3::float8[], $4::timestamptz[], $5::float8[], $6::float8[],
            $7::timestamptz[])
            AS given (provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at)
        ORDER BY provider
        ON CONFLICT (provider) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
            at = excluded.at, stay_latitude = excluded.stay_latitude, stay_longitude = excluded.stay_longitude,
            stay_at = excluded.stay_at
        WHERE provider_positions.at < excluded.at
        """
    /// Each provider once.
    let reports: [PositionReport]
    /// Of who is not in it the stay begins with the report.
    var stays: [UUID: Stay] = [:]
    func bind(_ bindings: inout Bindings) {
        bindings.append(reports.map(\.provider))
        bindings.append(reports.map(\.fix.place.latitude))
        bindings.append(reports.map(\.fix.place.longitude))
        bindings.append(reports.map(\.fix.at))
        let since = reports.map { stays[$0.provider]?.since ?? $0.fix }
        bindings.append(since.map(\.place.latitude))
        bindings.append(since.map(\.place.longitude))
        bindings.append(since.map(\.at))
    }
}
