import Foundation
import Postgres

/// One order with the data that its readers are shown besides it.
struct FindOrder: Statement {
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
        FROM order_details WHERE id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a customer's orders, the newest first.
struct ListCustomerOrders: Statement {
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
        FROM order_details WHERE customer = $1 AND is_final = $2 AND id < $3 ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a customer's orders in the markets in which a relative may see them, newest first.
struct ListSeenOrders: Statement {
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
        FROM order_details WHERE customer = $1 AND is_final = $2 AND id < $3 AND market = ANY ($5)
        ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    let markets: [String]
    func bind(_ bindings: inout Bindings) {
        page.bind(&bindings)
        bindings.append(markets)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a provider's orders, the newest first.
struct ListProviderOrders: Statement {
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
        FROM order_details WHERE provider = $1 AND is_final = $2 AND id < $3 ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a merchant's orders, newest first: those that wait for an answer, or the others. Orders that were never
/// paid are left out.
struct ListMerchantOrders: Statement {
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
        FROM order_details WHERE merchant = $1 AND is_final = $2 AND id < $3 AND payment_method IS NOT NULL
            AND ($5::boolean IS NULL OR (state = 'requested') = $5)
        ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    /// Nil means all.
    let isNew: Bool?
    func bind(_ bindings: inout Bindings) {
        page.bind(&bindings)
        bindings.append(isNew)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

struct OrderListPage: Sendable {
    let account: UUID
    let isFinal: Bool
    /// Last order of the previous page; nil for the first page.
    let after: UUID?
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(account, isFinal, after ?? Self.greatest, limit) }

    private static let greatest = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
}
