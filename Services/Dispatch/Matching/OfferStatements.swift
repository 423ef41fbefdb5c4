import Foundation
import Postgres

/// Somebody is asked. The claim of the provider and the order's lock are held.
struct InsertOffer: Statement {
    static let sql: SQL =
        "INSERT INTO offers (order_id, provider, offered_at, restaurant) VALUES ($1, $2, $3, $4)"
    let order: UUID
    let provider: UUID
    let at: Date
    /// Of a meal: a provider may think about several of one.
    let restaurant: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, at, restaurant) }
}

/// Something has come of the open offer, if there is one.
struct CloseOffer: Statement {
    static let sql: SQL = """
        UPDATE offers SET outcome = $2, ended_at = $3 WHERE order_id = $1 AND outcome IS NULL
        """
    let order: UUID
    /// The trigger's name.
    let outcome: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, outcome, at) }
}

/// Who had it has it no more, and is not asked again, offered or taken.
struct BarProvider: Statement {
    static let sql: SQL = """
        INSERT INTO offers (order_id, provider, offered_at, outcome, ended_at) VALUES ($1, $2, $4, $3, $4)
        ON CONFLICT (order_id, provider) DO UPDATE SET outcome = excluded.outcome, ended_at = excluded.ended_at
        """
    let order: UUID
    let provider: UUID
    let outcome: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, outcome, at) }
}

/// The state of an order that somebody was asked for, or that an admin had sent to him or her, whoever has it now.
struct FindOfferedState: Statement {
    static let sql: SQL = """
        SELECT orders.state FROM offers JOIN orders ON orders.id = offers.order_id
        WHERE offers.order_id = $1 AND offers.provider = $2
        """
    let order: UUID
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Takes the locks of several orders until the commit, without waiting: those that somebody else has are left out.
struct TryLockOrders: Statement {
    static let sql: SQL = "SELECT id FROM orders WHERE id = ANY ($1) ORDER BY id FOR UPDATE SKIP LOCKED"
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct FindOrders: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
            currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
            companion, is_near, latitude, longitude, description, requested_at, changed_at, customer_stars,
            customer_count, provider_stars, provider_count, by_customer_stars, by_customer_service_stars,
            by_customer_comment, by_customer_at, by_provider_stars, by_provider_comment, by_provider_at,
            is_provider_verified, arrived_at, report, ended_by, ended_at, fine, fine_metres, decision, to_customer,
            decision_note, destination_latitude, destination_longitude, destination_description, scheduled_at,
            proposed_at, deposit, deposit_state, deposit_version, shares, particulars, search_end,
            by_merchant_stars, by_merchant_comment, by_merchant_at, provider_vehicle
        FROM order_details WHERE id = ANY ($1)
        """
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// Makes each of these providers hold an order, of those who may be asked for it: free, waiting, verified, not banned,
/// subscribed where that is needed, and never asked for it before. Who is being claimed by somebody else at this moment is left
/// out. Of any number that try, one has a provider.
struct ClaimProviders: Statement {
    struct Claim: Sendable {
        let provider: UUID
        let order: UUID
        let name: String
    }

    static let sql: SQL = """
        WITH free AS (
            SELECT provider.account, asked.order_id, person.name
            FROM unnest($2::uuid[], $3::uuid[]) AS asked (order_id, account)
            JOIN providers AS provider ON provider.account = asked.account
            JOIN provider_roles AS role ON role.market = $1 AND role.account = asked.account
                AND role.verified AND role.available AND NOT is_banned(asked.account, $1)
            JOIN people AS person ON person.account = asked.account
            WHERE provider.current_order IS NULL
                AND NOT EXISTS (
                    SELECT FROM offers WHERE offers.order_id = asked.order_id AND offers.provider = asked.account)
                AND (NOT $4 OR EXISTS (
                    SELECT FROM provider_subscriptions AS subscription
                    WHERE subscription.market = $1 AND subscription.account = asked.account
                        AND subscription.ends_at > now()))
            ORDER BY provider.account FOR UPDATE OF provider SKIP LOCKED
        )
        UPDATE providers SET current_order = free.order_id FROM free
        WHERE providers.account = free.account AND providers.current_order IS NULL
        RETURNING providers.account, free.order_id, free.name
        """
    let market: String
    /// Each order and each provider once. The orders' locks are held.
    let pairs: [(order: UUID, provider: UUID)]
    let needsSubscription: Bool
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(columnsOf: pairs, \.order, \.provider)
        bindings.append(needsSubscription)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Claim {
        Claim(provider: try row.next(), order: try row.next(), name: try row.next())
    }
}

/// Who takes an order holds it, if free and waiting for work. The order's lock is held.
struct ClaimTaker: Statement {
    static let sql: SQL = """
        UPDATE providers SET current_order = $3 FROM provider_roles AS role
        WHERE providers.account = $2 AND providers.current_order IS NULL
            AND role.market = $1 AND role.account = $2 AND role.verified AND role.available
            AND NOT is_banned($2, $1)
        RETURNING true
        """
    let market: String
    let provider: UUID
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, provider, order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// One more try of the order's code, by who has to know it and while it is asked for: its merchant until it is handed over, or
/// else its provider who has arrived. No row for anybody else. Counted before it is looked at, so that many at once are not more.
struct CountStartTry: Statement {
    static let sql: SQL = """
        INSERT INTO start_tries (order_id, count)
        SELECT id, 1 FROM orders
        WHERE id = $1 AND coalesce(merchant, provider) = $2
            AND (state = 'arrived' OR state = 'accepted' AND merchant IS NOT NULL)
        ON CONFLICT (order_id) DO UPDATE SET count = start_tries.count + 1 RETURNING count::bigint
        """
    let order: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Whoever is asked next has all of them.
struct DeleteStartTries: Statement {
    static let sql: SQL = "DELETE FROM start_tries WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
