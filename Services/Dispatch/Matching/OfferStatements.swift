import Foundation
import Postgres

/// Inserts an offer. The caller has claimed the provider and holds the order's lock.
struct InsertOffer: Statement {
    static let sql: SQL =
        "INSERT INTO offers (order_id, provider, offered_at, restaurant) VALUES ($1, $2, $3, $4)"
    let order: UUID
    let provider: UUID
    let at: Date
    /// The restaurant of a meal: a courier may have open offers for several meals of one restaurant.
    let restaurant: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, at, restaurant) }
}

/// Closes the open offer of an order, if there is one.
struct CloseOffer: Statement {
    static let sql: SQL = """
        UPDATE offers SET outcome = $2, ended_at = $3 WHERE order_id = $1 AND outcome IS NULL
        """
    let order: UUID
    /// Name of the trigger.
    let outcome: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, outcome, at) }
}

/// Records that a provider has lost the order, and so must not be offered it or take it again.
struct ExcludeProvider: Statement {
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

/// Finds the state of an order that was offered or assigned to the provider, whoever holds it now.
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

/// Locks several orders until the commit, without waiting; orders that another transaction has locked are left out.
struct TryLockOrders: Statement {
    static let sql: SQL = "SELECT id FROM orders WHERE id = ANY ($1) ORDER BY id FOR UPDATE SKIP LOCKED"
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct FindOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE id = ANY ($1)
        """
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// Claims providers, each for one order. A provider must be free, available, verified, not banned, subscribed where
/// needed and never asked for the order before. Providers that another transaction has locked are skipped; of
/// concurrent claims of a provider one succeeds.
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
            JOIN provider_roles AS role ON role.market = $1 AND role.account = asked.account AND NOT role.sells
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
    /// Each order and each provider once. The caller holds the orders' locks.
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

/// Claims a provider who takes an order, if free and available. The caller holds the order's lock.
struct ClaimTaker: Statement {
    static let sql: SQL = """
        UPDATE providers SET current_order = $3 FROM provider_roles AS role
        WHERE providers.account = $2 AND providers.current_order IS NULL
            AND role.market = $1 AND role.account = $2 AND NOT role.sells AND role.verified AND role.available
            AND NOT is_banned($2, $1)
        RETURNING true
        """
    let market: String
    let provider: UUID
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, provider, order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Counts an attempt at the order's code, before the code is checked, so that concurrent attempts cannot exceed the
/// limit. A request that is repeated with its Idempotency-Key and its input is the same attempt. Counts only for the
/// account that must enter the code and only while it is asked for: the merchant until the hand-over, else the provider
/// after the arrival. No row for others.
struct CountStartTry: Statement {
    static let sql: SQL = """
        INSERT INTO start_tries AS known (order_id, count, requests)
        SELECT id, 1, ARRAY[$3::bytea] FROM orders
        WHERE id = $1 AND coalesce(merchant, provider) = $2
            AND (state = 'arrived' OR state = 'accepted' AND merchant IS NOT NULL)
        ON CONFLICT (order_id) DO UPDATE SET
            count = known.count + CASE WHEN $3 = ANY (known.requests) THEN 0 ELSE 1 END,
            requests = CASE WHEN $3 = ANY (known.requests) OR cardinality(known.requests) >= $4::bigint THEN known.requests
                ELSE known.requests || $3 END
        RETURNING count::bigint
        """
    let order: UUID
    let account: UUID
    /// Stands for the request's key and input.
    let request: [UInt8]
    func bind(_ bindings: inout Bindings) {
        bindings.append(order, account, request, StartOrder.maximumTries)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Resets the attempts for the next provider.
struct DeleteStartTries: Statement {
    static let sql: SQL = "DELETE FROM start_tries WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
