import Foundation
import Postgres

extension Subscription {
    /// Reads the columns of every statement that selects subscriptions, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(id: try row.next(), account: try row.next(), market: try row.next(), currency: try row.next())
        restore(
            state: try row.choice(State.self), endsAt: try row.next(), period: try row.next(),
            pending: try row.next(), renews: try row.next(), method: try row.choice(Method.self),
            card: try row.next(), version: try row.next(), chosenAt: try row.next(), wish: try Self.wish(&row))
    }

    private static func wish(_ row: inout RowReader) throws(PostgresError) -> Wish? {
        let (renews, card, at): (Bool?, UUID?, Date?) = (try row.next(), try row.next(), try row.next())
        guard let renews, let card, let at else { return nil }
        return Wish(renews: renews, card: card, at: at)
    }
}

/// Inserts the one row per account and market, which every change of the subscription locks.
struct InsertSubscription: Statement {
    static let sql: SQL = """
        INSERT INTO subscriptions (id, account, market, currency, state, renews, method, version)
        VALUES ($1, $2, $3, $4, 'none', false, 'wallet', 0) ON CONFLICT (account, market) DO NOTHING
        """
    let subscription: Subscription
    func bind(_ bindings: inout Bindings) {
        bindings.append(subscription.id, subscription.account, subscription.market, subscription.currency)
    }
}

struct LockSubscription: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, state, ends_at, period, pending, renews, method, card, version,
            chosen_at, wish_renews, wish_card, wished_at
        FROM subscriptions WHERE account = $1 AND market = $2 FOR UPDATE
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Subscription { try Subscription(row: &row) }
}

struct FindSubscription: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, state, ends_at, period, pending, renews, method, card, version,
            chosen_at, wish_renews, wish_card, wished_at
        FROM subscriptions WHERE account = $1 AND market = $2
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Subscription { try Subscription(row: &row) }
}

/// Locks the subscription of a period.
struct LockSubscriptionOfPeriod: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, state, ends_at, period, pending, renews, method, card, version,
            chosen_at, wish_renews, wish_card, wished_at
        FROM subscriptions WHERE id = (SELECT subscription FROM subscription_periods WHERE id = $1) FOR UPDATE
        """
    let period: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(period) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Subscription { try Subscription(row: &row) }
}

/// The same without waiting: no row while another transaction holds the lock.
struct TryLockSubscriptionOfPeriod: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, state, ends_at, period, pending, renews, method, card, version,
            chosen_at, wish_renews, wish_card, wished_at
        FROM subscriptions WHERE id = (SELECT subscription FROM subscription_periods WHERE id = $1)
        FOR UPDATE SKIP LOCKED
        """
    let period: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(period) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Subscription { try Subscription(row: &row) }
}

/// Locks the subscription of a charge. Returns no row when the charge is for something else.
struct LockSubscriptionOfCharge: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, state, ends_at, period, pending, renews, method, card, version,
            chosen_at, wish_renews, wish_card, wished_at
        FROM subscriptions
        WHERE id = (SELECT subscription FROM subscription_periods WHERE id = (SELECT subject FROM charges WHERE id = $1))
        FOR UPDATE
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Subscription { try Subscription(row: &row) }
}

struct UpdateSubscription: Statement {
    static let sql: SQL = """
        UPDATE subscriptions
        SET state = $2, ends_at = $3, period = $4, pending = $5, renews = $6, method = $7, card = $8, version = $9,
            chosen_at = $10, wish_renews = $11, wish_card = $12, wished_at = $13, changed_at = now()
        WHERE id = $1
        """
    let subscription: Subscription
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            subscription.id, subscription.state.rawValue, subscription.endsAt, subscription.period,
            subscription.pending, subscription.renews, subscription.method.rawValue, subscription.card,
            subscription.version, subscription.chosenAt, subscription.wish?.renews, subscription.wish?.card,
            subscription.wish?.at)
    }
}

/// Stops the renewals of an account in a market, or in all (`*`): of subscriptions that end before `until`, or of all
/// when it is nil. Also removes a choice that waits for a payment.
struct StopRenewals: Statement {
    static let sql: SQL = """
        UPDATE subscriptions
        SET renews = false, wish_renews = NULL, wish_card = NULL, wished_at = NULL, changed_at = now()
        WHERE id IN (
            SELECT id FROM subscriptions
            WHERE account = $1 AND ($2::text = '*' OR market = $2) AND (renews OR wish_renews)
                AND ($3::timestamptz IS NULL OR coalesce(ends_at, now()) < $3)
            ORDER BY id FOR UPDATE)
        """
    let account: UUID
    let market: String
    let until: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, until) }
}

struct DeleteSubscriptions: Statement {
    static let sql: SQL = "DELETE FROM subscriptions WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Lists current and former subscribers, the soonest end first. A name is that of the period's statement line (which names
/// the platform where none was known), of the newest order, or of a card.
struct ListSubscribers: Statement {
    struct Row: Sendable {
        let subscription: Subscription
        let plan: UUID
        let endsAt: Date
        /// The plan's name by language, as it was when the period was paid.
        let planName: [String: String]
        let startsAt: Date?
        /// Minor units of the subscription's currency.
        let price: Int
        let method: Subscription.Method
        /// Nil when no name of the account is known.
        let name: String?
    }

    static let sql: SQL = """
        SELECT subscriptions.id, subscriptions.account, subscriptions.market, subscriptions.currency,
            subscriptions.state, subscriptions.ends_at, subscriptions.period, subscriptions.pending,
            subscriptions.renews, subscriptions.method, subscriptions.card, subscriptions.version,
            subscriptions.chosen_at, subscriptions.wish_renews, subscriptions.wish_card, subscriptions.wished_at,
            subscription_periods.plan, subscriptions.ends_at, subscription_periods.plan_name::text,
            subscription_periods.starts_at, subscription_periods.price, subscription_periods.method,
            nullif(coalesce(
                nullif((SELECT payer FROM statement_lines WHERE account = subscriptions.account
                    AND source = 'subscription:' || subscription_periods.id), $7),
                (SELECT provider_name FROM payments WHERE provider = subscriptions.account AND provider_name <> ''
                    ORDER BY made_at DESC LIMIT 1),
                (SELECT holder FROM cards WHERE account = subscriptions.account AND holder <> ''
                    ORDER BY id DESC LIMIT 1)), '')
        FROM subscriptions JOIN subscription_periods ON subscription_periods.id = subscriptions.period
        WHERE subscriptions.market = $1 AND subscriptions.ends_at IS NOT NULL
            AND ($2::text IS NULL OR subscriptions.state = $2) AND ($3::uuid IS NULL OR subscription_periods.plan = $3)
            AND ($4::timestamptz IS NULL OR (subscriptions.ends_at, subscriptions.id) > ($4, $5))
            AND ($8::uuid IS NULL OR subscriptions.account = $8)
        ORDER BY subscriptions.ends_at, subscriptions.id LIMIT $6
        """
    let market: String
    let state: Subscription.State?
    let plan: UUID?
    let account: UUID?
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, state?.rawValue, plan, after?.at, after?.id, limit, PlatformName.of(market),
            account)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            subscription: try Subscription(row: &row), plan: try row.next(), endsAt: try row.next(),
            planName: StoredText.decode(try row.next()), startsAt: try row.next(), price: try row.next(),
            method: try row.choice(Subscription.Method.self), name: try row.next())
    }
}
