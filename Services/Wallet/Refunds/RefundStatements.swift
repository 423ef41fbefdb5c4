import Foundation
import Postgres

extension Refund {
    /// Reads the columns of every statement that selects refunds, in this order.
    init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), order: try row.next(), market: try row.next(), customer: try row.next(),
            currency: try row.next(), amount: try row.next(), destination: try row.choice(Destination.self),
            funder: try row.choice(Funder.self), funderAccount: try row.next(), reason: try row.next(),
            by: try row.next(), at: try row.next(), state: try row.choice(State.self))
    }
}

struct InsertRefund: Statement {
    static let sql: SQL = """
        INSERT INTO refunds (
            id, order_id, market, customer, currency, amount, destination, funder, funder_account, reason, by, at, state,
            overdrawn)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """
    let refund: Refund
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            refund.id, refund.order, refund.market, refund.customer, refund.currency, refund.amount,
            refund.destination.rawValue, refund.funder.rawValue, refund.funderAccount, refund.reason, refund.by,
            refund.at, refund.state.rawValue, refund.overdrawn)
    }
}

struct UpdateRefund: Statement {
    static let sql: SQL = "UPDATE refunds SET state = $2, changed_at = now() WHERE id = $1"
    let refund: Refund
    func bind(_ bindings: inout Bindings) { bindings.append(refund.id, refund.state.rawValue) }
}

struct ListRefunds: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, currency, amount, destination, funder, funder_account, reason, by, at, state
        FROM refunds WHERE order_id = $1 ORDER BY id
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Refund { try Refund(row: &row) }
}

/// Locks the refund of a charge. Returns no row when the charge is for something else.
struct LockRefundOfCharge: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, currency, amount, destination, funder, funder_account, reason, by, at, state
        FROM refunds WHERE id = (SELECT subject FROM charges WHERE id = $1) FOR UPDATE
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Refund { try Refund(row: &row) }
}

/// Finds the wallet that receives the amount of a failed refund to a card.
struct FindRefundReturn: Statement {
    static let sql: SQL = """
        SELECT charges.id, coalesce(payments.customer, top_ups.account, subscription_periods.account),
            coalesce(payments.market, top_ups.market, subscription_periods.market), charges.currency, charges.amount,
            payments.order_id, coalesce(payments.order_id, charges.subject),
            CASE WHEN refunds.funder <> 'hold' THEN refunds.id END,
            coalesce(payments.title, subscription_periods.plan_name, '{}')::text,
            coalesce(payments.customer_name, top_ups.holder,
                (SELECT payer FROM statement_lines WHERE account = subscription_periods.account
                    AND source = 'subscription:' || subscription_periods.id), '')
        FROM charges
        LEFT JOIN refunds ON refunds.id = charges.subject
        LEFT JOIN payments ON payments.order_id = coalesce(
            refunds.order_id, (SELECT paid.order_id FROM payments AS paid WHERE paid.id = charges.subject))
        LEFT JOIN top_ups ON top_ups.id = charges.subject
        LEFT JOIN subscription_periods ON subscription_periods.id = charges.subject
        WHERE charges.id = $1 AND coalesce(payments.customer, top_ups.account, subscription_periods.account) IS NOT NULL
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RefundReturn {
        RefundReturn(
            charge: try row.next(), account: try row.next(), market: try row.next(), currency: try row.next(),
            amount: try row.next(), order: try row.next(), subject: try row.next(), refund: try row.next(),
            title: StoredText.decode(try row.next()), beneficiary: try row.next())
    }
}

struct InsertTip: Statement {
    static let sql: SQL = """
        INSERT INTO tips (order_id, customer, provider, currency, amount, at) VALUES ($1, $2, $3, $4, $5, $6)
        """
    let payment: Payment
    let provider: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(payment.order, payment.customer, provider, payment.currency, payment.tipped, at)
    }
}
