import Contracts
import Foundation
import Matching
import Postgres

/// An order that goes on, as the map shows it.
struct RunningOrder: Sendable {
    let id: UUID
    let kind: String
    let state: String
    let start: GeoPoint
    let destination: GeoPoint?
    let at: Date
    let provider: Partner?
    /// The provider's last position, where it may be followed.
    let last: Fix?
}

/// Lists the orders of a market that go on now, the newest first: not those of a later day, nor those that are not paid yet
/// or wait for a decision.
struct ListRunningOrders: Statement {
    static let sql: SQL = """
        SELECT o.id, o.kind, o.state, o.latitude, o.longitude, o.destination_latitude, o.destination_longitude,
            coalesce(o.scheduled_at, o.requested_at), o.provider, coalesce(person.name, ''), role.title, person.gender,
            cardinality(o.confirmed_by) > 0, o.accepted_at,
            (SELECT since FROM parcel_sharing WHERE order_id = o.id AND parcel_sharing.provider = o.provider),
            last.latitude, last.longitude, last.at
        FROM orders AS o
        LEFT JOIN people AS person ON person.account = o.provider
        LEFT JOIN provider_roles AS role ON role.market = o.market AND role.account = o.provider AND NOT role.sells
        LEFT JOIN provider_positions AS last ON last.provider = o.provider
        WHERE o.market = $1 AND NOT o.is_final AND o.state NOT IN ('pending', 'disputed')
            AND coalesce(o.scheduled_at, o.requested_at) < $2
        ORDER BY o.id DESC LIMIT $3
        """
    let market: String
    /// Of orders for a time.
    let until: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, until, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> RunningOrder {
        let (id, kind, state): (UUID, String, String) = (try row.next(), try row.next(), try row.next())
        let start = GeoPoint(latitude: try row.next(), longitude: try row.next())
        let (latitude, longitude): (Double?, Double?) = (try row.next(), try row.next())
        let at: Date = try row.next()
        let (account, name): (UUID?, String) = (try row.next(), try row.next())
        let (title, gender): (String?, String?) = (try row.next(), try row.next())
        let isConfirmed: Bool = try row.next()
        let (acceptedAt, sharedSince): (Date?, Date?) = (try row.next(), try row.next())
        let last = try row.nextOptionalFix()
        return RunningOrder(
            id: id, kind: kind, state: state, start: start,
            destination: latitude.flatMap { latitude in
                longitude.map { GeoPoint(latitude: latitude, longitude: $0) }
            }, at: at,
            provider: account.map { Partner(account: $0, name: name, title: title, gender: gender) },
            last: last.flatMap { last in
                let isFollowed = TrackOrder.isFollowed(
                    kind: kind, state: state, isConfirmed: isConfirmed, sharedSince: sharedSince)
                // Where the provider was before the order is none of its business.
                let since = sharedSince ?? acceptedAt ?? .distantPast
                return isFollowed && last.at >= since ? last : nil
            })
    }
}

/// A provider who waits for orders, as the map shows it.
struct AvailableProvider: Sendable {
    let partner: Partner
    let vehicle: String?
    let since: Date?
    /// Whether the provider has an order in hand.
    let isBusy: Bool
    let last: Fix?
}

/// Lists the available providers of a market, those first who were heard of last.
struct ListAvailableProviders: Statement {
    static let sql: SQL = """
        SELECT role.account, people.name, role.title, people.gender, role.vehicle, role.available_at,
            providers.current_order IS NOT NULL, last.latitude, last.longitude, last.at
        FROM provider_roles AS role
        JOIN people ON people.account = role.account
        JOIN providers ON providers.account = role.account
        LEFT JOIN provider_positions AS last ON last.provider = role.account
        WHERE role.market = $1 AND role.available AND role.verified AND NOT role.sells
            AND NOT is_banned(role.account, $1)
        ORDER BY last.at DESC NULLS LAST, role.account LIMIT $2
        """
    let market: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AvailableProvider {
        AvailableProvider(
            partner: Partner(
                account: try row.next(), name: try row.next(), title: try row.next(), gender: try row.next()),
            vehicle: try row.next(), since: try row.next(), isBusy: try row.next(), last: try row.nextOptionalFix())
    }
}

/// Whether the audit log was told of an admin's look at a market's map in this hour; no row before the first look.
struct FindMapLook: Statement {
    static let sql: SQL = "SELECT hour = $3 FROM map_looks WHERE market = $1 AND admin = $2"
    let market: String
    let admin: UUID
    let hour: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, admin, hour) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Stores the hour of a look; no row is written where it is stored already.
struct StoreMapLook: Statement {
    static let sql: SQL = """
        INSERT INTO map_looks AS look (market, admin, hour) VALUES ($1, $2, $3)
        ON CONFLICT (market, admin) DO UPDATE SET hour = excluded.hour WHERE look.hour <> excluded.hour
        """
    let market: String
    let admin: UUID
    let hour: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, admin, hour) }
}

extension RowReader {
    /// Columns: latitude, longitude, at; all null for none.
    fileprivate mutating func nextOptionalFix() throws(PostgresError) -> Fix? {
        let (latitude, longitude, at): (Double?, Double?, Date?) = (try next(), try next(), try next())
        guard let latitude, let longitude, let at else { return nil }
        return Fix(place: GeoPoint(latitude: latitude, longitude: longitude), at: at)
    }
}
