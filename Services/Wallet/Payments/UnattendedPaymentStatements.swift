import Foundation
import Postgres

extension UnattendedPayment {
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            order: try row.next(), method: try row.choice(PaymentMethod.self), card: try row.next(),
            agreedAt: try row.next(), upTo: try row.next(), endsAt: try row.next(), isByDesk: try row.next(),
            failures: try row.next(), reason: try row.next(), noticedAt: try row.next(), isWarned: try row.next())
    }
}

/// Inserts at most one row per order.
struct InsertUnattendedPayment: Statement {
    static let sql: SQL = """
        INSERT INTO unattended_payments (order_id, method, card, agreed_at, up_to, ends_at, by_desk)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (order_id) DO NOTHING
        """
    let payment: UnattendedPayment
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            payment.order, payment.method.rawValue, payment.card, payment.agreedAt, payment.upTo, payment.endsAt,
            payment.isByDesk)
    }
}

/// Finds an order's unattended payment. Writers must have locked the order's payment.
struct FindUnattendedPayment: Statement {
    static let sql: SQL = """
        SELECT order_id, method, card, agreed_at, up_to, ends_at, by_desk, failures, reason, noticed_at, is_warned
        FROM unattended_payments WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UnattendedPayment {
        try UnattendedPayment(row: &row)
    }
}

struct UpdateUnattendedPayment: Statement {
    static let sql: SQL = """
        UPDATE unattended_payments SET failures = $2, reason = $3, noticed_at = $4, is_warned = $5 WHERE order_id = $1
        """
    let payment: UnattendedPayment
    func bind(_ bindings: inout Bindings) {
        bindings.append(payment.order, payment.failures, payment.reason, payment.noticedAt, payment.isWarned)
    }
}

struct DeleteUnattendedPayment: Statement {
    static let sql: SQL = "DELETE FROM unattended_payments WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Locks a payment without waiting. Returns no row when another transaction holds it.
struct TryLockPayment: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, customer_name, currency, provider, provider_name, title::text, amount,
            commission_basis_points, merchant_commission_basis_points, payees::text, total, promised_code,
            promised_discount, customer_priced, order_version, order_state, order_deadline, state, method, charge,
            refusal, version, settled, tipped, refunded, refunded_to_card, promo_use, discount, promo_code
        FROM payments WHERE order_id = $1 FOR UPDATE SKIP LOCKED
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Payment { try Payment(row: &row) }
}
