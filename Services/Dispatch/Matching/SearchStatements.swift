import Foundation
import Matching
import Postgres

/// Begins an order's search, or restarts it.
struct BeginSearch: Statement {
    static let sql: SQL = """
        INSERT INTO searches (order_id, market, area, kind, customer, latitude, longitude, began_at, stage, stage_since,
            round_at, opens_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, coalesce($9, $10), now(), $9)
        ON CONFLICT (order_id) DO UPDATE SET began_at = excluded.began_at, stage = 0,
            stage_since = excluded.stage_since, round_at = excluded.round_at, opens_at = excluded.opens_at,
            explained = NULL
        """
    let order: Order
    let kind: String
    func bind(_ bindings: inout Bindings) {
        let area = RoundArea(
            market: order.market, latitude: order.place.latitude, longitude: order.place.longitude)
        bindings.append(
            order.id, order.market, area.cell, kind, order.customer.account, order.place.latitude, order.place.longitude
        )
        // Start of the search window, as in the order's deadline: for a meal not before it is ready.
        bindings.append(
            max(order.changedAt, order.food?.readyAt ?? order.changedAt), order.searchOpensAt, order.changedAt)
    }
}

/// Pauses a search while its order is on offer.
struct HoldSearch: Statement {
    static let sql: SQL = "UPDATE searches SET round_at = NULL WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Continues a search after an offer ended.
struct ResumeSearch: Statement {
    static let sql: SQL = "UPDATE searches SET round_at = now() WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Makes a search due at once that was scheduled for later.
struct StartSearchNow: Statement {
    static let sql: SQL = """
        UPDATE searches SET opens_at = NULL, round_at = CASE WHEN round_at IS NULL THEN NULL ELSE now() END,
            stage_since = least(stage_since, now())
        WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

struct EndSearch: Statement {
    static let sql: SQL = "DELETE FROM searches WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Writes the particulars of an order where a transition changes them. The caller holds the order's lock.
struct UpdateParticulars: Statement {
    static let sql: SQL = "UPDATE orders SET particulars = $2 WHERE id = $1"
    let order: UUID
    let particulars: PostgresJSON?

    /// - Throws: errors of the encoder.
    init(_ order: Order) throws {
        self.order = order.id
        particulars = try order.particulars.map { try .encoding($0.withoutNames) }
    }

    func bind(_ bindings: inout Bindings) { bindings.append(order, particulars) }
}

/// Deletes an order's odometer, so that the next provider, or the ride itself, starts at zero.
struct DeleteOdometer: Statement {
    static let sql: SQL = "DELETE FROM order_odometers WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Lists orders in a box of degrees that a provider may take: searched for, not on offer, of a suitable kind, not the
/// provider's own (ordered, or a meal of the own restaurant) and never offered to the provider before. The nearest 500.
struct ListOpenSearches: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details
        WHERE state IN ('requested', 'preparing') AND id IN (
            SELECT order_id FROM searches
            WHERE market = $1 AND round_at IS NOT NULL AND coalesce(opens_at <= now(), true)
                AND customer <> $2 AND kind = ANY ($3)
                AND latitude BETWEEN $4 AND $5 AND (longitude BETWEEN $6 AND $7 OR longitude BETWEEN $8 AND $9)
                AND NOT EXISTS (SELECT FROM offers WHERE offers.order_id = searches.order_id AND offers.provider = $2)
                AND NOT EXISTS (SELECT FROM orders WHERE orders.id = searches.order_id AND orders.merchant = $2)
            ORDER BY power(latitude - $10, 2)
                + power(least(abs(longitude - $11), 360 - abs(longitude - $11)) * cos(radians($10)), 2)
            LIMIT 500)
        """
    let market: String
    let account: UUID
    let kinds: [String]
    let box: DegreeBox
    /// The nearest orders to this place are listed.
    let place: GeoPoint
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, account, kinds, box.latitudes.lowerBound, box.latitudes.upperBound, box.longitudes.lowerBound,
            box.longitudes.upperBound, box.otherLongitudes.lowerBound, box.otherLongitudes.upperBound, place.latitude,
            place.longitude)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// Whether a provider may take an order that is searched for, by the rules of ``ListOpenSearches``. The caller holds
/// the order's lock.
struct FindOpenSearch: Statement {
    static let sql: SQL = """
        SELECT true FROM searches
        WHERE order_id = $1 AND round_at IS NOT NULL AND coalesce(opens_at <= $3, true)
            AND NOT EXISTS (SELECT FROM offers WHERE offers.order_id = $1 AND offers.provider = $2)
        """
    let order: UUID
    let provider: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
