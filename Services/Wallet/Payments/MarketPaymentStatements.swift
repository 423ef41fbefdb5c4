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

/// The platform's commissions from one kind of party at one ratio.
struct CommissionFigures: Sendable {
    /// `provider`, `merchant`, or `platform` for its own sales, such as a hire, and for its fees.
    let party: String
    let basisPoints: Int
    let payments: Int
    /// Minor units.
    let revenue: Int
    let commission: Int
}

/// Sums the commissions from the ledger's own entries, so an order's rows add up to what the platform received for it.
/// The transfers are found by their keys, since commands of other services may name an order as their subject too.
/// The platform's share of the merchants' parts and of its own fee is computed as in ``Division``; the rest is the
/// provider's commission, or the merchants' when there is no provider.
struct SumCommissions: Statement {
    static let sql: SQL = """
        SELECT line.party, line.points::bigint, count(*), sum(line.revenue)::bigint, sum(line.commission)::bigint
        FROM (
            SELECT transfers.subject,
                coalesce(sum(entries.amount) FILTER (WHERE accounts.kind = 'platform'), 0)::numeric AS amount
            FROM payments
            JOIN transfers ON transfers.subject = payments.order_id
                AND transfers.key IN ('capture:' || payments.order_id, 'commission:' || payments.order_id)
            JOIN entries ON entries.transfer = transfers.id
            JOIN accounts ON accounts.id = entries.account
            WHERE payments.market = $1 AND payments.currency = $4
                AND ($2::timestamptz IS NULL OR transfers.at >= $2) AND ($3::timestamptz IS NULL OR transfers.at < $3)
            GROUP BY transfers.subject
        ) AS earned
        JOIN payments ON payments.order_id = earned.subject
        CROSS JOIN LATERAL (
            SELECT coalesce(sum((part.payee->>'amount')::numeric), 0) AS paid,
                coalesce(bool_or(part.payee->>'party' = 'provider'), payments.provider IS NOT NULL) AS provided,
                coalesce(bool_or(part.payee->>'party' = 'merchant'), false) AS sold
            FROM jsonb_array_elements(payments.payees) AS part (payee)
        ) AS who
        CROSS JOIN LATERAL (
            SELECT greatest(coalesce(payments.total, payments.amount)::numeric, who.paid, 1) AS total,
                coalesce(payments.settled, payments.amount)::numeric AS price
        ) AS whole
        CROSS JOIN LATERAL (
            SELECT CASE
                WHEN NOT who.provided AND NOT who.sold THEN earned.amount
                WHEN payments.payees = '[]' THEN 0
                ELSE div((whole.total - who.paid) * whole.price, whole.total) END AS fee
        ) AS own
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(share.gross), 0) AS gross,
                coalesce(sum(div(share.gross * payments.merchant_commission_basis_points + 5000, 10000)), 0)
                    AS commission
            FROM jsonb_array_elements(payments.payees) AS part (payee)
            CROSS JOIN LATERAL (
                SELECT div((part.payee->>'amount')::numeric * whole.price, whole.total)
            ) AS share (gross)
            WHERE part.payee->>'party' = 'merchant'
        ) AS sale
        CROSS JOIN LATERAL (VALUES
            ('provider', payments.commission_basis_points, whole.price - own.fee - sale.gross,
                earned.amount - own.fee - sale.commission, who.provided),
            ('merchant', payments.merchant_commission_basis_points,
                CASE WHEN who.provided THEN sale.gross ELSE whole.price - own.fee END,
                CASE WHEN who.provided THEN sale.commission ELSE earned.amount - own.fee END, who.sold),
            ('platform', 10000, own.fee, own.fee, own.fee > 0)
        ) AS line (party, points, revenue, commission, counts)
        WHERE line.counts
        GROUP BY line.party, line.points ORDER BY line.party, line.points
        """
    let market: String
    let currency: String
    let from: Date?
    let to: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CommissionFigures {
        CommissionFigures(
            party: try row.next(), basisPoints: try row.next(), payments: try row.next(), revenue: try row.next(),
            commission: try row.next())
    }
}
