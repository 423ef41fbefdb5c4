import Contracts
import Foundation
import Postgres

/// Touches no row when what is known of the payment is as new or newer.
struct StorePayment: Statement {
    static let sql: StaticString = """
        INSERT INTO payments (order_id, payment, market, version, state, method, amount, currency)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (order_id) DO UPDATE
        SET payment = excluded.payment, version = excluded.version, state = excluded.state,
            method = excluded.method, amount = excluded.amount, currency = excluded.currency
        WHERE payments.version < excluded.version
        """
    let payment: PaymentSnapshot
    func bind(_ bindings: inout Bindings) {
        bindings.append(payment.order)
        bindings.append(payment.payment)
        bindings.append(payment.market)
        bindings.append(payment.version)
        bindings.append(payment.state.rawValue)
        bindings.append(payment.method?.rawValue)
        bindings.append(payment.amount.amount)
        bindings.append(payment.amount.currency)
    }
}

/// What only one event of a payment tells, whenever it comes.
struct SetPaymentMoments: Statement {
    static let sql: StaticString = """
        UPDATE payments
        SET held_at = coalesce(held_at, $2), captured_at = coalesce(captured_at, $3),
            released_at = coalesce(released_at, $4), provider_share = coalesce(provider_share, $5),
            platform_share = coalesce(platform_share, $6)
        WHERE order_id = $1
        """
    let order: UUID
    var heldAt: Date?
    var capturedAt: Date?
    var releasedAt: Date?
    var providerShare: Int?
    var platformShare: Int?
    func bind(_ bindings: inout Bindings) {
        bindings.append(order)
        bindings.append(heldAt)
        bindings.append(capturedAt)
        bindings.append(releasedAt)
        bindings.append(providerShare)
        bindings.append(platformShare)
    }
}

struct PaymentRow: Sendable, Hashable {
    let payment: UUID
    let state: String
    let method: String?
    let amount: Int
    let currency: String
    let providerShare: Int?
    let platformShare: Int?
    let heldAt: Date?
    let capturedAt: Date?
    let releasedAt: Date?
}

struct ShowPayment: Statement {
    static let sql: StaticString = """
        SELECT payment, state, method, amount, currency, provider_share, platform_share, held_at, captured_at,
               released_at
        FROM payments WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PaymentRow {
        PaymentRow(
            payment: try row.next(), state: try row.next(), method: try row.next(), amount: try row.next(),
            currency: try row.next(), providerShare: try row.next(), platformShare: try row.next(),
            heldAt: try row.next(), capturedAt: try row.next(), releasedAt: try row.next())
    }
}
