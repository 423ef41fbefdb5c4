import Contracts
import Foundation
import Postgres

/// Stores republished payments. A row of the same or an older version is replaced; in a newer row only missing values
/// are filled in.
struct UpsertRepublishedPayments: Statement {
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
            payment = CASE WHEN p.version <= excluded.version THEN excluded.payment ELSE p.payment END,
            market = CASE WHEN p.version <= excluded.version THEN excluded.market ELSE p.market END,
            version = greatest(p.version, excluded.version),
            state = CASE WHEN p.version <= excluded.version THEN excluded.state ELSE p.state END,
            method = CASE WHEN p.version <= excluded.version THEN excluded.method ELSE p.method END,
            amount = CASE WHEN p.version <= excluded.version THEN excluded.amount ELSE p.amount END,
            currency = CASE WHEN p.version <= excluded.version THEN excluded.currency ELSE p.currency END,
            held_at = CASE WHEN p.version <= excluded.version
                THEN coalesce(excluded.held_at, p.held_at) ELSE coalesce(p.held_at, excluded.held_at) END,
            captured_at = CASE WHEN p.version <= excluded.version
                THEN excluded.captured_at ELSE coalesce(p.captured_at, excluded.captured_at) END,
            released_at = CASE WHEN p.version <= excluded.version
                THEN excluded.released_at ELSE coalesce(p.released_at, excluded.released_at) END,
            provider_share = CASE WHEN p.version <= excluded.version
                THEN excluded.provider_share ELSE coalesce(p.provider_share, excluded.provider_share) END,
            platform_share = CASE WHEN p.version <= excluded.version
                THEN excluded.platform_share ELSE coalesce(p.platform_share, excluded.platform_share) END
        """
    let payments: [PaymentsTold.Told]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: payments, \.payment.order, \.payment.payment, \.payment.market, \.payment.version,
            \.payment.state.rawValue)
        bindings.append(payments.map(\.payment.method?.rawValue))
        bindings.append(
            columnsOf: payments, \.payment.amount.amount, \.payment.amount.currency, \.heldAt, \.capturedAt,
            \.releasedAt)
        bindings.append(payments.map(\.providerShare?.amount), payments.map(\.platformShare?.amount))
    }
}

/// Deletes payments that the wallet does not have and that were here before it read its rows.
struct DeleteStalePayments: Statement {
    static let sql: SQL = """
        DELETE FROM payments
        WHERE ($1::uuid IS NULL OR order_id > $1) AND ($2::uuid IS NULL OR order_id <= $2)
            AND order_id <> ALL ($3::uuid[]) AND heard_at < $4
        """
    let message: PaymentsTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            message.range.after, message.range.through, message.payments.map(\.payment.order), message.range.surelyKnown
        )
    }
}
