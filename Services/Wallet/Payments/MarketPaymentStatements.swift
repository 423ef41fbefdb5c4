import Foundation
import Postgres

/// The filter of a list of a market's payments, newest first.
struct PaymentFilter: Sendable {
    let market: String
    let state: PaymentState?
    let method: PaymentMethod?
    let customer: UUID?
    let provider: UUID?
    let order: UUID?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int
}

struct ListPayments: Statement {
    struct Row: Sendable {
        let payment: Payment
        let madeAt: Date
        let changedAt: Date
    }

    static let sql: SQL = """
        SELECT id, order_id, market, customer, customer_name, currency, provider, provider_name, title::text, amount,
            commission_basis_points, merchant_commission_basis_points, payees::text, total, promised_code,
            promised_discount, customer_priced, order_version, order_state, order_deadline, state, method, charge,
            refusal, version,
            settled, tipped, refunded, refunded_to_card, promo_use, discount, promo_code, made_at, changed_at
        FROM payments
        WHERE market = $1 AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR method = $3)
            AND ($4::uuid IS NULL OR customer = $4) AND ($5::uuid IS NULL OR provider = $5)
            AND ($6::timestamptz IS NULL OR made_at >= $6) AND ($7::timestamptz IS NULL OR made_at < $7)
            AND ($8::timestamptz IS NULL OR (made_at, id) < ($8, $9)) AND ($11::uuid IS NULL OR order_id = $11)
        ORDER BY made_at DESC, id DESC LIMIT $10
        """
    let filter: PaymentFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            filter.market, filter.state?.rawValue, filter.method?.rawValue, filter.customer, filter.provider,
            filter.from, filter.to, filter.after?.at, filter.after?.id, filter.limit, filter.order)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(payment: try Payment(row: &row), madeAt: try row.next(), changedAt: try row.next())
    }
}

/// One entry of a transfer.
struct LedgerLeg: Sendable {
    let transfer: UUID
    let kind: String
    let at: Date
    let account: String
    /// The zero id for platform and payment provider accounts.
    let owner: UUID
    /// Minor units.
    let amount: Int
}

/// Lists all entries about an order, its refunds and its deposits, in posting order.
struct ListLegs: Statement {
    static let sql: SQL = """
        SELECT transfers.id, transfers.kind, transfers.at, accounts.kind, accounts.owner, entries.amount
        FROM transfers JOIN entries ON entries.transfer = transfers.id JOIN accounts ON accounts.id = entries.account
        WHERE transfers.subject IN (
            SELECT $1::uuid UNION ALL SELECT id FROM refunds WHERE order_id = $1
            UNION ALL SELECT id FROM deposits WHERE order_id = $1)
        ORDER BY entries.id LIMIT 1000
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerLeg {
        LedgerLeg(
            transfer: try row.next(), kind: try row.next(), at: try row.next(), account: try row.next(),
            owner: try row.next(), amount: try row.next())
    }
}
