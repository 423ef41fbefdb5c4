import Foundation
import Matching
import Postgres

/// An order's parties and place, with the provider's last position.
struct TrackedOrder: Sendable {
    let market: String
    let kind: String
    let state: String
    let customer: UUID
    let provider: UUID?
    /// Place to which the provider goes: the order's start, or its destination while in progress.
    let destination: GeoPoint
    /// Whether a party has said that the work is done.
    let isConfirmed: Bool
    let last: Fix?
    /// Since when the carrier of a parcel lets the owner follow the way; nil for no.
    let sharedSince: Date?
}

struct FindTrackedOrder: Statement {
    static let sql: SQL = """
        SELECT o.market, o.kind, o.state, o.customer, o.provider,
            CASE WHEN o.state = 'inProgress' THEN coalesce(o.destination_latitude, o.latitude) ELSE o.latitude END,
            CASE WHEN o.state = 'inProgress' THEN coalesce(o.destination_longitude, o.longitude) ELSE o.longitude END,
            cardinality(o.confirmed_by) > 0, last.latitude, last.longitude, last.at,
            (SELECT since FROM parcel_sharing WHERE order_id = o.id AND parcel_sharing.provider = o.provider)
        FROM orders AS o LEFT JOIN provider_positions AS last ON last.provider = o.provider
        WHERE o.id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TrackedOrder {
        let (market, kind, state): (String, String, String) = (try row.next(), try row.next(), try row.next())
        let (customer, provider): (UUID, UUID?) = (try row.next(), try row.next())
        let destination = GeoPoint(latitude: try row.next(), longitude: try row.next())
        let isConfirmed: Bool = try row.next()
        let (latitude, longitude, at): (Double?, Double?, Date?) = (try row.next(), try row.next(), try row.next())
        let sharedSince: Date? = try row.next()
        var last: Fix?
        if let latitude, let longitude, let at {
            last = Fix(place: GeoPoint(latitude: latitude, longitude: longitude), at: at)
        }
        return TrackedOrder(
            market: market, kind: kind, state: state, customer: customer, provider: provider, destination: destination,
            isConfirmed: isConfirmed, last: last, sharedSince: sharedSince)
    }
}
