import Foundation
import Postgres

/// The open visits of a market by time, for the desk.
struct ListDesk: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
            currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
            companion, is_near, latitude, longitude, description, requested_at, changed_at, customer_stars,
            customer_count, provider_stars, provider_count, by_customer_stars, by_customer_service_stars,
            by_customer_comment, by_customer_at, by_provider_stars, by_provider_comment, by_provider_at,
            is_provider_verified, arrived_at, report, ended_by, ended_at, fine, fine_metres, decision, to_customer,
            decision_note, destination_latitude, destination_longitude, destination_description, scheduled_at,
            proposed_at, deposit, deposit_state, deposit_version, shares, particulars, search_end,
            by_merchant_stars, by_merchant_comment, by_merchant_at, provider_vehicle
        FROM order_details
        WHERE market = $1 AND kind = 'homeCare' AND NOT is_final AND coalesce(scheduled_at, requested_at) >= $2
            AND coalesce(scheduled_at, requested_at) < $3 AND ($4 = '' OR state = $4)
        ORDER BY coalesce(scheduled_at, requested_at), id LIMIT $5
        """
    let market: String
    let from: Date
    let to: Date
    /// Empty means all.
    let state: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, state, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// The visits of a market that ended unpaid, by time, for the desk.
struct ListUnpaidVisits: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
            currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
            companion, is_near, latitude, longitude, description, requested_at, changed_at, customer_stars,
            customer_count, provider_stars, provider_count, by_customer_stars, by_customer_service_stars,
            by_customer_comment, by_customer_at, by_provider_stars, by_provider_comment, by_provider_at,
            is_provider_verified, arrived_at, report, ended_by, ended_at, fine, fine_metres, decision, to_customer,
            decision_note, destination_latitude, destination_longitude, destination_description, scheduled_at,
            proposed_at, deposit, deposit_state, deposit_version, shares, particulars, search_end,
            by_merchant_stars, by_merchant_comment, by_merchant_at, provider_vehicle
        FROM order_details
        WHERE market = $1 AND kind = 'homeCare' AND state = 'expired' AND reason = 'payment-window-over'
            AND coalesce(scheduled_at, requested_at) >= $2 AND coalesce(scheduled_at, requested_at) < $3
        ORDER BY coalesce(scheduled_at, requested_at), id LIMIT $4
        """
    let market: String
    let from: Date
    let to: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A provider's open orders in a market, by time.
struct ListCalendar: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
            currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
            companion, is_near, latitude, longitude, description, requested_at, changed_at, customer_stars,
            customer_count, provider_stars, provider_count, by_customer_stars, by_customer_service_stars,
            by_customer_comment, by_customer_at, by_provider_stars, by_provider_comment, by_provider_at,
            is_provider_verified, arrived_at, report, ended_by, ended_at, fine, fine_metres, decision, to_customer,
            decision_note, destination_latitude, destination_longitude, destination_description, scheduled_at,
            proposed_at, deposit, deposit_state, deposit_version, shares, particulars, search_end,
            by_merchant_stars, by_merchant_comment, by_merchant_at, provider_vehicle
        FROM order_details
        WHERE provider = $1 AND NOT is_final AND market = $2 AND coalesce(scheduled_at, requested_at) >= $3
            AND coalesce(scheduled_at, requested_at) < $4
        ORDER BY coalesce(scheduled_at, requested_at), id LIMIT $5
        """
    let provider: UUID
    let market: String
    let from: Date
    let to: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(provider, market, from, to, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}
