import Foundation
import Matching
import Postgres

/// Reads the running orders of these providers, each with the last kept position of its trail. Orders whose provider has
/// said that the work is done are left out.
struct ReadTrails: Statement {
    struct Row: Sendable {
        let provider: UUID
        let trail: Trail
    }

    static let sql: SQL = """
        SELECT provider.account, o.id, o.version,
            coalesce(o.accepted_at, CASE WHEN o.state = 'accepted' THEN o.changed_at END), last.latitude, last.longitude,
            last.at
        FROM providers AS provider
        JOIN LATERAL (
            SELECT orders.id, orders.version, orders.state, orders.changed_at, orders.accepted_at FROM (
                SELECT provider.current_order AS id
                UNION SELECT order_id FROM courier_trips WHERE courier_trips.provider = provider.account
            ) AS held JOIN orders ON orders.id = held.id
            WHERE orders.state IN ('accepted', 'enRoute', 'arrived', 'inProgress')
                AND NOT 'provider' = ANY (orders.confirmed_by)
        ) AS o ON true
        LEFT JOIN LATERAL (
            SELECT latitude, longitude, at FROM order_trails WHERE order_trails.order_id = o.id
            ORDER BY at DESC LIMIT 1
        ) AS last ON true
        WHERE provider.account = ANY ($1)
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (provider, order, version): (UUID, UUID, Int) = (try row.next(), try row.next(), try row.next())
        let acceptedAt: Date? = try row.next()
        let (latitude, longitude, at): (Double?, Double?, Date?) = (try row.next(), try row.next(), try row.next())
        var last: Fix?
        if let latitude, let longitude, let at {
            last = Fix(place: GeoPoint(latitude: latitude, longitude: longitude), at: at)
        }
        return Row(provider: provider, trail: Trail(order: order, version: version, last: last, acceptedAt: acceptedAt))
    }
}

/// Writes positions of trails. Like ``StoreOdometers``: only for orders whose version is unchanged since the trail was
/// read and that no other transaction has locked, in the sequence of the orders. A skipped position may be replaced by
/// the next report's.
struct StoreTrails: Statement {
    static let sql: SQL = """
        INSERT INTO order_trails (order_id, at, provider, latitude, longitude)
        SELECT given.order_id, given.at, given.provider, given.latitude, given.longitude
        FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::float8[], $5::float8[], $6::bigint[])
            AS given (order_id, at, provider, latitude, longitude, version)
        JOIN orders ON orders.id = given.order_id AND orders.version = given.version
        ORDER BY given.order_id, given.at FOR KEY SHARE OF orders SKIP LOCKED
        ON CONFLICT (order_id, at) DO NOTHING
        """
    let places: [(report: PositionReport, trail: Trail)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            places.map { $0.trail.order }, places.map { $0.report.fix.at }, places.map { $0.report.provider },
            places.map { $0.report.fix.place.latitude }, places.map { $0.report.fix.place.longitude },
            places.map { $0.trail.version })
    }
}

/// A page of an order's trail, oldest position first.
struct ListTrail: Statement {
    struct Row: Sendable, Equatable {
        let provider: UUID
        let fix: Fix
    }

    static let sql: SQL = """
        SELECT provider, latitude, longitude, at FROM order_trails WHERE order_id = $1 AND at > $2
        ORDER BY at LIMIT $3
        """
    let order: UUID
    /// Time of the last position of the previous page.
    var after = Date(timeIntervalSince1970: 0)
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(order, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(provider: try row.next(), fix: try row.nextFix())
    }
}
