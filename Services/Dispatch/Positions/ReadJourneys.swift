import Foundation
import Matching
import Postgres

/// Reads the reporting providers and their journeys: one row per order, or one row without an order.
struct ReadJourneys: Statement {
    struct Row: Sendable {
        let provider: UUID
        /// Nil if the account is no provider in any market.
        let market: String?
        /// Whether the provider holds an order.
        let isHeld: Bool
        /// Whether the provider is available in a market, holds an order, or has an accepted care visit that is overdue
        /// or begins within 15 minutes (a care visit holds no provider), or lets an owner follow the way of a parcel.
        let isAtWork: Bool
        let journey: Journey?
    }

    static let sql: SQL = """
        SELECT provider.account,
            coalesce(o.market, (
                SELECT market FROM provider_roles AS role WHERE role.account = provider.account
                ORDER BY role.available DESC, role.market LIMIT 1)),
            provider.current_order IS NOT NULL,
            provider.current_order IS NOT NULL OR EXISTS (
                SELECT FROM provider_roles AS role WHERE role.account = provider.account AND role.available)
                OR EXISTS (
                    SELECT FROM orders AS visit
                    WHERE visit.provider = provider.account AND NOT visit.is_final AND visit.kind = 'homeCare'
                        AND visit.state = 'accepted'
                        AND coalesce(visit.scheduled_at, visit.changed_at) <= now() + interval '15 minutes')
                OR EXISTS (SELECT FROM parcel_sharing WHERE parcel_sharing.provider = provider.account),
            o.id, o.customer, o.version, o.kind, o.state,
            CASE WHEN o.state = 'inProgress' THEN o.destination_latitude ELSE o.latitude END,
            CASE WHEN o.state = 'inProgress' THEN o.destination_longitude ELSE o.longitude END, meter.nearby_at IS NOT NULL,
            meter.metres, meter.latitude, meter.longitude, meter.at, meter.walk,
            coalesce(o.accepted_at, CASE WHEN o.state = 'accepted' THEN o.changed_at END)
        FROM providers AS provider
        LEFT JOIN LATERAL (
            SELECT orders.* FROM (
                SELECT provider.current_order AS id
                UNION SELECT order_id FROM courier_trips WHERE courier_trips.provider = provider.account
                UNION SELECT order_id FROM parcel_sharing WHERE parcel_sharing.provider = provider.account
            ) AS held JOIN orders ON orders.id = held.id
            WHERE orders.state IN ('accepted', 'enRoute')
                OR orders.kind IN ('food', 'ride', 'bikeDropOff') AND orders.state = 'inProgress'
                OR orders.kind = 'parcel' AND orders.state IN ('arrived', 'inProgress')
        ) AS o ON true
        LEFT JOIN order_odometers AS meter ON meter.order_id = o.id
        WHERE provider.account = ANY ($1)
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (provider, market): (UUID, String?) = (try row.next(), try row.next())
        let (isHeld, isAtWork): (Bool, Bool) = (try row.next(), try row.next())
        let (order, customer): (UUID?, UUID?) = (try row.next(), try row.next())
        let version: Int? = try row.next()
        let (kind, state): (String?, String?) = (try row.next(), try row.next())
        let (latitude, longitude): (Double?, Double?) = (try row.next(), try row.next())
        let isAnnounced: Bool = try row.next()
        let (metres, baseLatitude, baseLongitude): (Double?, Double?, Double?) = (
            try row.next(), try row.next(), try row.next()
        )
        let baseAt: Date? = try row.next()
        let walk = try row.nextWalk()
        let acceptedAt: Date? = try row.next()
        guard let order, let customer, let version, let kind, let state, let latitude, let longitude else {
            return Row(provider: provider, market: market, isHeld: isHeld, isAtWork: isAtWork, journey: nil)
        }
        var odometer: Odometer?
        if let metres, let baseLatitude, let baseLongitude, let baseAt {
            let place = GeoPoint(latitude: baseLatitude, longitude: baseLongitude)
            odometer = StoredOdometerState.odometer(metres: metres, base: Fix(place: place, at: baseAt), walk.state)
        }
        let journey = Journey(
            order: order, version: version, customer: customer,
            destination: GeoPoint(latitude: latitude, longitude: longitude),
            isEnRoute: Workflow.isAwaited(kind, in: state), isAnnounced: isAnnounced,
            acceptedAt: acceptedAt, odometer: odometer, isUnreadable: walk.isUnreadable,
            isMeasured: kind != Workflow.parcel.kind)
        return Row(provider: provider, market: market, isHeld: isHeld, isAtWork: isAtWork, journey: journey)
    }
}
