import Foundation
import Matching
import Postgres
import SeraiJSON

/// Updates odometers. The caller has locked the providers' positions, so no step is counted twice. Rows are written in
/// the sequence of the orders, since a provider's first position has no row that could be locked.
///
/// Updates only orders whose version is unchanged since the way was read and that no other transaction has locked: the
/// metres of a driver who has given up must not count for the next one, nor the way to the rider for the ride. Skipped
/// steps are counted with the next report.
/// next report.
struct StoreOdometers: Statement {
    static let sql: SQL = """
        INSERT INTO order_odometers (order_id, metres, latitude, longitude, at, walk)
        SELECT given.order_id, given.metres, given.latitude, given.longitude, given.at, given.walk::jsonb
        FROM unnest($1::uuid[], $2::float8[], $3::float8[], $4::float8[], $5::timestamptz[], $6::bigint[], $7::text[])
            AS given (order_id, metres, latitude, longitude, at, version, walk)
        JOIN orders ON orders.id = given.order_id AND orders.version = given.version
        ORDER BY given.order_id FOR KEY SHARE OF orders SKIP LOCKED
        ON CONFLICT (order_id) DO UPDATE SET metres = excluded.metres, latitude = excluded.latitude,
            longitude = excluded.longitude, at = excluded.at, walk = excluded.walk
        WHERE order_odometers.at < excluded.at
        """
    private let readings: [(order: UUID, version: Int, odometer: Odometer)]
    private let walks: [String]

    /// - Throws: errors of encoding a walk.
    init(readings: [(order: UUID, version: Int, odometer: Odometer)]) throws {
        self.readings = readings
        walks = try readings.map {
            try JSON.stored.text(StoredOdometerState($0.odometer))
        }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            readings.map { $0.order }, readings.map { $0.odometer.metres },
            readings.map { $0.odometer.base.place.latitude }, readings.map { $0.odometer.base.place.longitude },
            readings.map { $0.odometer.base.at }, readings.map { $0.version }, walks)
    }
}
