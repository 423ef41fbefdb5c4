import Foundation
import Postgres

extension Payment {
    /// Reads the columns of every statement that selects payments, in this order.
    init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), order: try row.next(), market: try row.next(), customer: try row.next(),
            customerName: try row.next(), currency: try row.next(), terms: try PaymentTerms(row: &row))
        restore(
            orderVersion: try row.next(), orderState: try row.next(), orderDeadline: try row.next(),
            state: try row.choice(PaymentState.self), method: try row.optionalChoice(PaymentMethod.self),
            charge: try row.next(), refusal: try row.next(),
            version: try row.next(), settled: try row.next(), tipped: try row.next(), refunded: try row.next(),
            refundedToCard: try row.next(), promotion: try AppliedPromotion(row: &row))
    }
}

extension AppliedPromotion {
    fileprivate init?(row: inout RowReader) throws(PostgresError) {
        let (use, discount, code): (UUID?, Int, UUID?) = (try row.next(), try row.next(), try row.next())
        guard let use else { return nil }
        self.init(use: use, discount: discount, code: code)
    }
}

extension PaymentTerms {
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            provider: try row.next(), providerName: try row.next(), title: StoredText.decode(try row.next()),
            amount: try row.next(), commissionBasisPoints: try row.next(),
            merchantCommissionBasisPoints: try row.next(), payees: try row.next(StoredPayees.self).payees,
            total: try row.next(), promised: try PromisedDiscount(row: &row), isCustomerPriced: try row.next())
    }

    fileprivate func bind(_ bindings: inout Bindings) {
        bindings.append(
            provider, providerName, StoredText.encode(title), amount, commissionBasisPoints,
            merchantCommissionBasisPoints, StoredPayees.encode(payees), total, promised?.code, promised?.discount,
            isCustomerPriced)
    }
}

extension PromisedDiscount {
    fileprivate init?(row: inout RowReader) throws(PostgresError) {
        let (code, discount): (String?, Int?) = (try row.next(), try row.next())
        guard let code, let discount else { return nil }
        self.init(code: code, discount: discount)
    }
}

/// Inserts a new payment. Does nothing when the order already has one.
struct InsertPayment: Statement {
    static let sql: SQL = """
        INSERT INTO payments (
            id, order_id, market, customer, customer_name, currency, provider, provider_name, title, amount,
            commission_basis_points, merchant_commission_basis_points, payees, total, promised_code, promised_discount,
            customer_priced, order_version, order_state, state, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21)
        ON CONFLICT (order_id) DO NOTHING
        """
    let payment: Payment
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            payment.id, payment.order, payment.market, payment.customer, payment.customerName, payment.currency)
        payment.terms.bind(&bindings)
        bindings.append(payment.orderVersion, payment.orderState, payment.state.rawValue, payment.version)
    }
}

/// Updates the terms of a locked payment, while they may still change.
struct UpdatePaymentTerms: Statement {
    static let sql: SQL = """
        UPDATE payments
        SET provider = $2, provider_name = $3, title = $4, amount = $5, commission_basis_points = $6,
            merchant_commission_basis_points = $7, payees = $8, total = $9, promised_code = $10,
            promised_discount = $11, customer_priced = $12
        WHERE id = $1
        """
    let payment: Payment
    func bind(_ bindings: inout Bindings) {
        bindings.append(payment.id)
        payment.terms.bind(&bindings)
    }
}

/// Updates the changeable columns of a locked payment.
struct UpdatePayment: Statement {
    static let sql: SQL = """
        UPDATE payments
        SET order_version = $2, order_state = $3, state = $4, method = $5, charge = $6, refusal = $7, version = $8,
            order_deadline = $9, settled = $10, tipped = $11, refunded = $12, refunded_to_card = $13, promo_use = $14,
            discount = $15, promo_code = $16, changed_at = CASE WHEN version = $8 THEN changed_at ELSE now() END,
            held_at = coalesce(held_at, $17), captured_at = coalesce(captured_at, $18),
            released_at = coalesce(released_at, $19)
        WHERE id = $1
        """
    let payment: Payment
    /// The time of a change that is published as held, captured or released.
    var heldAt: Date?
    var capturedAt: Date?
    var releasedAt: Date?
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            payment.id, payment.orderVersion, payment.orderState, payment.state.rawValue, payment.method?.rawValue,
            payment.charge, payment.refusal, payment.version, payment.orderDeadline, payment.settled, payment.tipped,
            payment.refunded, payment.refundedToCard, payment.promotion?.use, payment.heldFromPlatform,
            payment.promotion?.code, heldAt, capturedAt, releasedAt)
    }
}

struct FindPayment: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, customer_name, currency, provider, provider_name, title::text, amount,
            commission_basis_points, merchant_commission_basis_points, payees::text, total, promised_code,
            promised_discount, customer_priced, order_version, order_state, order_deadline, state, method, charge,
            refusal, version,
            settled, tipped, refunded, refunded_to_card, promo_use, discount, promo_code
        FROM payments WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Payment { try Payment(row: &row) }
}

struct LockPayment: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, customer_name, currency, provider, provider_name, title::text, amount,
            commission_basis_points, merchant_commission_basis_points, payees::text, total, promised_code,
            promised_discount, customer_priced, order_version, order_state, order_deadline, state, method, charge,
            refusal, version,
            settled, tipped, refunded, refunded_to_card, promo_use, discount, promo_code
        FROM payments WHERE order_id = $1 FOR UPDATE
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Payment { try Payment(row: &row) }
}

/// Locks the payment of a charge. Returns no row when the charge is for something else.
struct LockPaymentOfCharge: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, customer, customer_name, currency, provider, provider_name, title::text, amount,
            commission_basis_points, merchant_commission_basis_points, payees::text, total, promised_code,
            promised_discount, customer_priced, order_version, order_state, order_deadline, state, method, charge,
            refusal, version,
            settled, tipped, refunded, refunded_to_card, promo_use, discount, promo_code
        FROM payments WHERE id = (SELECT subject FROM charges WHERE id = $1) FOR UPDATE
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Payment { try Payment(row: &row) }
}

/// Serializes transactions about an order that may not have a payment row yet, until the commit.
struct LockOrder: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('wallet.order.' || $1, 0))::text"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order.uuidString) }
}

/// Finds the order of a payment.
struct FindOrderOfPayment: Statement {
    static let sql: SQL = "SELECT order_id FROM payments WHERE id = $1"
    let payment: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(payment) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Whether the payment of an order is a customer's of a market.
struct IsCustomersPayment: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM payments WHERE order_id = $1 AND customer = $2 AND market = $3)"
    let order: UUID
    let customer: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(order, customer, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
