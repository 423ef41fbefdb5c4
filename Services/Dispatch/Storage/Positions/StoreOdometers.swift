import Foundation
import Matching
import Postgres

/// Sets odometers on. The provider's position is locked by whoever does so, so none is counted twice. In the order of
/// the orders, for a provider's first position is no row yet that can be locked.
struct StoreOdometers: Statement {
    static let sql: StaticString = """
        INSERT INTO order_odometers (order_id, metres, latitude, longitude, at)
        SELECT order_id, metres, latitude, longitude, at
        FROM unnest($1::uuid[], $2::float8[], $3::float8[], $4::float8[], $5::timestamptz[])
            AS given (order_id, metres, latitude, longitude, at)
        ORDER BY order_id
        ON CONFLICT (order_id) DO UPDATE SET metres = excluded.metres, latitude = excluded.latitude,
            longitude = excluded.longitude, at = excluded.at
        WHERE order_odometers.at < excluded.at
        """
    let readings: [(order: UUID, odometer: Odometer)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(readings.map { $0.order })
        bindings.append(readings.map { $0.odometer.metres })
        bindings.append(readings.map { $0.odometer.base.place.latitude })
        bindings.append(readings.map { $0.odometer.base.place.longitude })
        bindings.append(readings.map { $0.odometer.base.at })
    }
}
