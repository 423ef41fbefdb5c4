import Foundation
import Matching
import Postgres

/// Sets odometers on. The provider's position is locked by whoever does so, so none is counted twice. In the order of
/// the orders, for a provider's first position is no row yet that can be locked.
///
/// Only of orders that are as they were when the way was read, and that nobody changes at this moment: a driver who has
/// given up leaves no metres to the next one, nor the way to the rider to the ride. What is left out is counted with the
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

    /// - Throws: what encoding a walk throws.
    init(readings: [(order: UUID, version: Int, odometer: Odometer)]) throws {
        self.readings = readings
        walks = try readings.map { String(decoding: try JSONEncoder().encode(StoredWalk($0.odometer)), as: UTF8.self) }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            readings.map { $0.order }, readings.map { $0.odometer.metres },
            readings.map { $0.odometer.base.place.latitude }, readings.map { $0.odometer.base.place.longitude },
            readings.map { $0.odometer.base.at }, readings.map { $0.version }, walks)
    }
}
