import Foundation
import Postgres

// What other parts of the service write, written by the tests; and what the tests look at.

/// Somebody who has a card, so that he or she can order in every market.
struct InsertPerson: Statement {
    static let sql: SQL = """
        WITH told AS (INSERT INTO payment_methods (account, has_method, version) VALUES ($1, true, 1))
        INSERT INTO people (account, version, name, language) VALUES ($1, 1, $2, 'en')
        """
    let account: UUID
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

struct InsertProviderRow: Statement {
    static let sql: SQL = "INSERT INTO providers (account) VALUES ($1)"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct InsertProviderRoleRow: Statement {
    static let sql: SQL = """
        WITH subscription AS (
            INSERT INTO provider_subscriptions (market, account, version, ends_at)
            VALUES ('assef', $1, 0, now() + interval '1 year')
        )
        INSERT INTO provider_roles (market, account, title, verified, available) VALUES ('assef', $1, 'nurse', $2, $3)
        """
    let account: UUID
    let isVerified: Bool
    let isAvailable: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(account, isVerified, isAvailable) }
}

struct WithdrawVerification: Statement {
    static let sql: SQL = "UPDATE provider_roles SET verified = false WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct InsertOffering: Statement {
    static let sql: SQL = """
        INSERT INTO offerings (market, account, service, price) VALUES ('assef', $1, $2, $3)
        """
    let account: UUID
    let service: String
    let price: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, service, price) }
}

/// Customers, and as many providers who are verified and available, and in Riyadh are subscribed and do one thing.
struct InsertPairs: Statement {
    static let sql: SQL = """
        WITH people AS (
            INSERT INTO people (account, version, name, language)
            SELECT account, 1, 'Salem', 'en' FROM unnest($1::uuid[] || $2::uuid[]) AS given (account)
        ), methods AS (
            INSERT INTO payment_methods (account, has_method, version) SELECT unnest($1::uuid[]), true, 1
        ), providers AS (
            INSERT INTO providers (account) SELECT unnest($2::uuid[])
        ), roles AS (
            INSERT INTO provider_roles (market, account, title, verified, available)
            SELECT $3, account, $4, true, true FROM unnest($2::uuid[]) AS given (account)
        ), subscriptions AS (
            INSERT INTO provider_subscriptions (market, account, version, ends_at)
            SELECT 'assef', account, 0, now() + interval '1 year' FROM unnest($2::uuid[]) AS given (account)
            WHERE $3 = 'assef'
        ), positions AS (
            INSERT INTO provider_positions (provider, latitude, longitude, at)
            SELECT account, 24.75, 46.7, now() FROM unnest($2::uuid[]) AS given (account) WHERE $3 = 'assef'
        )
        INSERT INTO offerings (market, account, service, price)
        SELECT 'assef', account, 'wound-care', 12000 FROM unnest($2::uuid[]) AS given (account) WHERE $3 = 'assef'
        """
    let customers: [UUID]
    let providers: [UUID]
    var market = "assef"
    var title = "nurse"
    func bind(_ bindings: inout Bindings) { bindings.append(customers, providers, market, title) }
}

/// A provider's phone told half a minute ago that it is five kilometres from where tests order; what it tells later
/// counts. Who is known to be elsewhere stays there.
struct TellNearbyPlace: Statement {
    static let sql: SQL = """
        INSERT INTO provider_positions (provider, latitude, longitude, at)
        VALUES ($1, 24.745, 46.7, $2::timestamptz - interval '30 seconds')
        ON CONFLICT (provider) DO UPDATE SET at = greatest(provider_positions.at, excluded.at)
        """
    let provider: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(provider, at) }
}

/// Another time of a visit than was ordered.
struct MoveVisit: Statement {
    static let sql: SQL = "UPDATE orders SET scheduled_at = $2 WHERE id = $1"
    let order: UUID
    let time: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, time) }
}

/// As if it had been ordered, and begun, that long before.
struct AgeVisit: Statement {
    static let sql: SQL = """
        UPDATE orders SET requested_at = requested_at - make_interval(secs => $2),
            arrived_at = arrived_at - make_interval(secs => $2)
        WHERE id = $1
        """
    let order: UUID
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(order, seconds) }
}

struct SetSetting: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version) VALUES ($3, $1, $2, 1)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = market_settings.version + 1
        """
    var market = "assef"
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(key, value, market) }
}

struct ReadOrderState: Statement {
    static let sql: SQL = "SELECT state FROM orders WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct CountOrders: Statement {
    static let sql: SQL = "SELECT count(*) FROM orders"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct ReadHeldOrder: Statement {
    static let sql: SQL = "SELECT current_order FROM providers WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID? { try row.next() }
}

struct ReadDeadlines: Statement {
    static let sql: SQL = "SELECT kind, due_at FROM deadlines WHERE subject = $1 ORDER BY kind"
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (kind: String, dueAt: Date) {
        (try row.next(), try row.next())
    }
}

/// The messages about an order, in their order.
struct ReadEvents: Statement {
    static let sql: SQL = "SELECT name, payload FROM outbox WHERE aggregate = $1 ORDER BY seq"
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (name: String, payload: String) {
        (try row.next(), try row.next())
    }
}

/// Where an order stands, the last parts of the names of its events in their order, and its deadlines' kinds.
struct OrderTrace: Equatable, Sendable {
    let state: String
    let events: String
    let deadlines: String
}

struct ReadOrderTraces: Statement {
    static let sql: SQL = """
        SELECT orders.id, orders.state, coalesce(told.events, ''), coalesce(waits.kinds, '')
        FROM orders
        LEFT JOIN (
            SELECT aggregate, string_agg(split_part(name, '.', 3), ' ' ORDER BY seq) AS events
            FROM outbox GROUP BY aggregate) AS told ON told.aggregate = orders.id::text
        LEFT JOIN (
            SELECT subject, string_agg(kind, ' ' ORDER BY kind) AS kinds FROM deadlines GROUP BY subject
        ) AS waits ON waits.subject = orders.id::text
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (order: UUID, trace: OrderTrace) {
        (
            try row.next(),
            OrderTrace(state: try row.next(), events: try row.next(), deadlines: try row.next())
        )
    }
}

/// Orders of which something does not fit together: the provider is held or free against the state, as a visit's is and that
/// of a parcel or of a care partner's visit never, the events' versions have a gap or another end than the order, or a wait
/// has no deadline that will fire.
struct FindInconsistencies: Statement {
    static let sql: SQL = """
        SELECT orders.id::text || ' ' || orders.state || ' v' || orders.version
            || ' held ' || (providers.current_order IS NOT DISTINCT FROM orders.id) || ' events ' || coalesce(events.versions::text, 'none')
        FROM orders LEFT JOIN providers ON providers.account = orders.provider
        LEFT JOIN (
            SELECT aggregate, array_agg((payload::jsonb -> 'order' ->> 'version')::bigint ORDER BY seq) AS versions
            FROM outbox WHERE name LIKE 'dispatch.order.%' AND name <> 'dispatch.order.managed.v1' GROUP BY aggregate
        ) AS events ON events.aggregate = orders.id::text
        WHERE (providers.current_order IS NOT DISTINCT FROM orders.id)
                <> (orders.kind = 'visit' AND orders.state IN ('accepted', 'enRoute', 'arrived'))
            OR events.versions IS DISTINCT FROM (SELECT array_agg(n) FROM generate_series(1, orders.version) AS n)
            OR (orders.deadline IS NULL) <> orders.is_final
            OR (NOT orders.is_final AND NOT EXISTS (
                SELECT FROM deadlines WHERE subject = orders.id::text AND due_at >= orders.deadline))
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// As if it had been made at that time, and had ended, if it has, as much earlier.
struct AgeOrder: Statement {
    static let sql: SQL = """
        UPDATE orders SET requested_at = $2, ended_at = ended_at - (requested_at - $2) WHERE id = $1
        """
    let order: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, at) }
}
