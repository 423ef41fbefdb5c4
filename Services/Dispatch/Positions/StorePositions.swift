import Foundation
import Matching
import Postgres

/// Writes the newest positions. In the sequence of the providers, so that two processes that write the same providers,
/// without existing rows to lock, wait for each other instead of deadlocking.
struct StorePositions: Statement {
    static let sql: SQL = """
        INSERT INTO provider_positions (provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at, told_at,
            steady_latitude, steady_longitude, is_settled)
        SELECT provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at, told_at,
            steady_latitude, steady_longitude, is_settled
        FROM unnest($1::uuid[], $2::float8[], $3::float8[], $4::timestamptz[], $5::float8[], $6::float8[],
            $7::timestamptz[], $8::timestamptz[], $9::float8[], $10::float8[], $11::boolean[])
            AS given (provider, latitude, longitude, at, stay_latitude, stay_longitude, stay_at, told_at,
            steady_latitude, steady_longitude, is_settled)
        ORDER BY provider
        ON CONFLICT (provider) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
            at = excluded.at, stay_latitude = excluded.stay_latitude, stay_longitude = excluded.stay_longitude,
            stay_at = excluded.stay_at, told_at = excluded.told_at, steady_latitude = excluded.steady_latitude,
            steady_longitude = excluded.steady_longitude, is_settled = excluded.is_settled
        WHERE provider_positions.at < excluded.at
        """
    /// At most one per provider.
    let reports: [PositionReport]
    /// Providers that are missing here had no known position before.
    var whereabouts: [UUID: ProviderPositionState] = [:]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: reports, \.provider, \.fix.place.latitude, \.fix.place.longitude, \.fix.at)
        let kept = reports.map { whereabouts[$0.provider] ?? ProviderPositionState($0, after: nil) }
        bindings.append(
            columnsOf: kept, \.stay.since.place.latitude, \.stay.since.place.longitude, \.stay.since.at, \.stay.toldAt,
            \.steady.latitude, \.steady.longitude, \.isSettled)
    }
}
