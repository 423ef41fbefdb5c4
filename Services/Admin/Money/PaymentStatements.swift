import Contracts
import Foundation
import Postgres

/// Stores payments, at most one change per order. A snapshot replaces only an older one; the times of hold, capture and
/// release and the shares are set once. Rows without a change are not touched.
struct StorePayments: Statement {
    static let sql: SQL = """
        INSERT INTO payments AS p (
            order_id, payment, market, version, state, method, amount, currency, held_at, captured_at, released_at,
            provider_share, platform_share)
        SELECT order_id, payment, market, version, state, method, amount, currency, held_at, captured_at, released_at,
            provider_share, platform_share
        FROM unnest(
            $1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::text[],
            $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::bigint[], $13::bigint[]
        ) AS told (
            order_id, payment, market, version, state, method, amount, currency, held_at, captured_at, released_at,
            provider_share, platform_share)
        ORDER BY order_id
        ON CONFLICT (order_id) DO UPDATE SET
            payment = CASE WHEN p.version < excluded.version THEN excluded.payment ELSE p.payment END,
            version = greatest(p.version, excluded.version),
            state = CASE WHEN p.version < excluded.version THEN excluded.state ELSE p.state END,
            method = CASE WHEN p.version < excluded.version THEN excluded.method ELSE p.method END,
            amount = CASE WHEN p.version < excluded.version THEN excluded.amount ELSE p.amount END,
            currency = CASE WHEN p.version < excluded.version THEN excluded.currency ELSE p.currency END,
            held_at = coalesce(p.held_at, excluded.held_at),
            captured_at = coalesce(p.captured_at, excluded.captured_at),
            released_at = coalesce(p.released_at, excluded.released_at),
            provider_share = coalesce(p.provider_share, excluded.provider_share),
            platform_share = coalesce(p.platform_share, excluded.platform_share)
        WHERE p.version < excluded.version
            OR (p.held_at IS NULL AND excluded.held_at IS NOT NULL)
            OR (p.captured_at IS NULL AND excluded.captured_at IS NOT NULL)
            OR (p.released_at IS NULL AND excluded.released_at IS NOT NULL)
            OR (p.provider_share IS NULL AND excluded.provider_share IS NOT NULL)
            OR (p.platform_share IS NULL AND excluded.platform_share IS NOT NULL)
        """
    let payments: [PaymentChange]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: payments, \.newest.order, \.newest.payment, \.newest.market, \.newest.version,
            \.newest.state.rawValue)
        bindings.append(payments.map(\.newest.method?.rawValue))
        bindings.append(
            columnsOf: payments, \.newest.amount.amount, \.newest.amount.currency, \.heldAt, \.capturedAt, \.releasedAt,
            \.providerShare, \.platformShare)
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
    static let sql: SQL = """
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
