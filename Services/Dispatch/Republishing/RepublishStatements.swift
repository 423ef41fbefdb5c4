import Foundation
import Postgres

/// Lists orders after an id, ordered by id, with their details and the time of the last acceptance.
struct ListOrdersToTell: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
            currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
            companion, is_near, latitude, longitude, description, requested_at, changed_at, customer_stars,
            customer_count, provider_stars, provider_count, by_customer_stars, by_customer_service_stars,
            by_customer_comment, by_customer_at, by_provider_stars, by_provider_comment, by_provider_at,
            is_provider_verified, arrived_at, report, ended_by, ended_at, fine, fine_metres, decision, to_customer,
            decision_note, destination_latitude, destination_longitude, destination_description, scheduled_at,
            proposed_at, deposit, deposit_state, deposit_version, shares, particulars, search_end,
            by_merchant_stars, by_merchant_comment, by_merchant_at, provider_vehicle,
            (SELECT accepted_at FROM orders WHERE orders.id = order_details.id)
        FROM order_details WHERE ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (details: OrderDetailsRow, acceptedAt: Date?) {
        (try OrderDetailsRow(&row), try row.next())
    }
}

/// Lists reports like ``ListReports``, for several orders.
struct ListReportsOfOrders: Statement {
    static let sql: SQL = """
        SELECT id, order_id, made_by, reason, note, cancels, at, answer, answered_at
        FROM reports WHERE order_id = ANY ($1::uuid[]) ORDER BY order_id, at, id
        """
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredReport { try ListReports.decode(&row) }
}
