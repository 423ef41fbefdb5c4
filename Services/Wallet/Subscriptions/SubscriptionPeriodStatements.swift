import Foundation
import Postgres

struct InsertPeriod: Statement {
    static let sql: SQL = """
        INSERT INTO subscription_periods (
            id, subscription, account, market, plan, plan_name, length, currency, price, method, is_renewal, state,
            starts_at, ends_at, made_at, paid_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
            CASE WHEN $12::text = 'paid' THEN $15::timestamptz END)
        """
    let period: SubscriptionPeriod
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            period.id, period.subscription, period.account, period.market, period.plan,
            StoredText.encode(period.planName), period.length.rawValue, period.currency, period.price,
            period.method.rawValue, period.isRenewal, period.state.rawValue, period.startsAt, period.endsAt, at)
    }
}

struct UpdatePeriod: Statement {
    static let sql: SQL = """
        UPDATE subscription_periods
        SET state = $2, reason = $3, starts_at = $4, ends_at = $5,
            paid_at = CASE WHEN $2::text = 'paid' THEN $6::timestamptz END
        WHERE id = $1
        """
    let period: SubscriptionPeriod
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(period.id, period.state.rawValue, period.reason, period.startsAt, period.endsAt, at)
    }
}

struct FindPeriod: Statement {
    static let sql: SQL = """
        SELECT id, subscription, account, market, plan, plan_name::text, length, currency, price, method, is_renewal, state,
            reason, starts_at, ends_at
        FROM subscription_periods WHERE id = $1
        """
    let period: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(period) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SubscriptionPeriod {
        SubscriptionPeriod(
            id: try row.next(), subscription: try row.next(), account: try row.next(), market: try row.next(),
            plan: try row.next(), planName: StoredText.decode(try row.next()),
            length: try row.choice(SubscriptionPlan.Period.self), currency: try row.next(), price: try row.next(),
            method: try row.choice(Subscription.Method.self), isRenewal: try row.next(),
            state: try row.choice(SubscriptionPeriod.State.self), reason: try row.next(), startsAt: try row.next(),
            endsAt: try row.next())
    }
}

/// Notes that a period's failed renewal was published. Affects one row the first time.
struct NoteFailedRenewal: Statement {
    static let sql: SQL =
        "UPDATE subscription_periods SET is_failure_told = true WHERE id = $1 AND NOT is_failure_told"
    let period: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(period) }
}

/// Finds the name of a period's owner: from its statement line, otherwise from the paying card, otherwise from the
/// account's newest order as provider. Returns no row when none is known.
struct FindSubscriberName: Statement {
    static let sql: SQL = """
        SELECT name FROM (
            SELECT coalesce(
                (SELECT payer FROM statement_lines WHERE account = $1 AND source = 'subscription:' || $2::uuid),
                (SELECT holder FROM cards WHERE id = $3::uuid AND account = $1),
                (SELECT provider_name FROM payments WHERE provider = $1 AND provider_name <> ''
                    ORDER BY made_at DESC LIMIT 1)) AS name
        ) AS known WHERE name <> ''
        """
    let period: SubscriptionPeriod
    let card: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(period.account, period.id, card) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
