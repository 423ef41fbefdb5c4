import Foundation
import Postgres

extension SubscriptionPlan {
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), market: try row.next(), currency: try row.next(),
            period: try row.choice(Period.self), name: StoredText.decode(try row.next()),
            brief: StoredText.decode(try row.next()), price: try row.next(), endedAt: try row.next())
    }
}

struct InsertPlan: Statement {
    static let sql: SQL = """
        INSERT INTO subscription_plans (id, market, currency, period, name, brief, price, made_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """
    let plan: SubscriptionPlan
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            plan.id, plan.market, plan.currency, plan.period.rawValue, StoredText.encode(plan.name),
            StoredText.encode(plan.brief), plan.price, at)
    }
}

/// Updates a plan that has not ended. Paid periods keep their terms.
struct UpdatePlan: Statement {
    static let sql: SQL = """
        UPDATE subscription_plans SET name = $3, brief = $4, price = $5, period = coalesce($6, period)
        WHERE id = $1 AND market = $2 AND ended_at IS NULL RETURNING id, market, currency, period, name::text, brief::text, price, ended_at
        """
    let id: UUID
    let market: String
    /// Nil leaves it as it is.
    let period: SubscriptionPlan.Period?
    let name: [String: String]
    let brief: [String: String]
    let price: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, market, StoredText.encode(name), StoredText.encode(brief), price, period?.rawValue)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SubscriptionPlan {
        try SubscriptionPlan(row: &row)
    }
}

/// Ends a plan, once.
struct EndPlan: Statement {
    static let sql: SQL = """
        UPDATE subscription_plans SET ended_at = $3 WHERE id = $1 AND market = $2 AND ended_at IS NULL
        RETURNING id, market, currency, period, name::text, brief::text, price, ended_at
        """
    let id: UUID
    let market: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, market, at) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SubscriptionPlan {
        try SubscriptionPlan(row: &row)
    }
}

struct FindPlan: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, period, name::text, brief::text, price, ended_at FROM subscription_plans WHERE id = $1
        """
    let plan: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(plan) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SubscriptionPlan {
        try SubscriptionPlan(row: &row)
    }
}

/// Locks a plan so that its price stays until the commit.
struct SharePlan: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, period, name::text, brief::text, price, ended_at FROM subscription_plans WHERE id = $1
        FOR SHARE
        """
    let plan: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(plan) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SubscriptionPlan {
        try SubscriptionPlan(row: &row)
    }
}

struct ListPlans: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, period, name::text, brief::text, price, ended_at FROM subscription_plans WHERE market = $1 AND (ended_at IS NULL OR $2)
        ORDER BY id LIMIT 200
        """
    let market: String
    let withEnded: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(market, withEnded) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SubscriptionPlan {
        try SubscriptionPlan(row: &row)
    }
}

/// A plan's current subscribers, and what it earned in a period.
struct PlanFigures: Sendable {
    let plan: SubscriptionPlan
    let subscribers: Int
    let periods: Int
    let renewals: Int
    /// Minor units.
    let profit: Int
}

struct SumPlans: Statement {
    static let sql: SQL = """
        SELECT plans.id, plans.market, plans.currency, plans.period, plans.name::text, plans.brief::text, plans.price,
            plans.ended_at,
            (SELECT count(*) FROM subscriptions JOIN subscription_periods ON subscription_periods.id = subscriptions.period
                WHERE subscriptions.market = $1 AND subscriptions.state = 'active' AND subscriptions.ends_at > now()
                    AND subscription_periods.plan = plans.id),
            coalesce(paid.periods, 0), coalesce(paid.renewals, 0), coalesce(paid.profit, 0)
        FROM subscription_plans AS plans
        LEFT JOIN (
            SELECT plan, count(*) AS periods, count(*) FILTER (WHERE is_renewal) AS renewals, sum(price)::bigint AS profit
            FROM subscription_periods
            WHERE market = $1 AND state = 'paid' AND ($2::timestamptz IS NULL OR paid_at >= $2)
                AND ($3::timestamptz IS NULL OR paid_at < $3)
            GROUP BY plan
        ) AS paid ON paid.plan = plans.id
        WHERE plans.market = $1 ORDER BY plans.id LIMIT 1000
        """
    let market: String
    let from: Date?
    let to: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlanFigures {
        PlanFigures(
            plan: try SubscriptionPlan(row: &row), subscribers: try row.next(), periods: try row.next(),
            renewals: try row.next(), profit: try row.next())
    }
}
