import Foundation
import Postgres

// What other parts of the service write, written by the tests; and what the tests look at.

struct InsertPerson: Statement {
    static let sql: StaticString = "INSERT INTO people (account, version, name, language) VALUES ($1, 1, $2, 'en')"
    let account: UUID
    let name: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(name)
    }
}

struct InsertProviderRow: Statement {
    static let sql: StaticString = "INSERT INTO providers (account) VALUES ($1)"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct InsertProviderRoleRow: Statement {
    static let sql: StaticString = """
        INSERT INTO provider_roles (market, account, title, verified, available) VALUES ('assef', $1, 'nurse', $2, $3)
        """
    let account: UUID
    let isVerified: Bool
    let isAvailable: Bool
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(isVerified)
        bindings.append(isAvailable)
    }
}

struct WithdrawVerification: Statement {
    static let sql: StaticString = "UPDATE provider_roles SET verified = false WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct InsertOffering: Statement {
    static let sql: StaticString = """
        INSERT INTO offerings (market, account, service, price) VALUES ('assef', $1, $2, $3)
        """
    let account: UUID
    let service: String
    let price: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(service)
        bindings.append(price)
    }
}

struct SetSetting: Statement {
    static let sql: StaticString = """
        INSERT INTO market_settings (market, key, value, version) VALUES ('assef', $1, $2, 1)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = market_settings.version + 1
        """
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(key)
        bindings.append(value)
    }
}

struct ReadOrderState: Statement {
    static let sql: StaticString = "SELECT state FROM orders WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct CountOrders: Statement {
    static let sql: StaticString = "SELECT count(*) FROM orders"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct ReadHeldOrder: Statement {
    static let sql: StaticString = "SELECT current_order FROM providers WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID? { try row.next() }
}

struct ReadDeadlines: Statement {
    static let sql: StaticString = "SELECT kind, due_at FROM deadlines WHERE subject = $1 ORDER BY kind"
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (kind: String, dueAt: Date) {
        (try row.next(), try row.next())
    }
}

/// The messages about an order, in their order.
struct ReadEvents: Statement {
    static let sql: StaticString = "SELECT name, payload FROM outbox WHERE aggregate = $1 ORDER BY seq"
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (name: String, payload: String) {
        (try row.next(), try row.next())
    }
}

/// Orders of which something does not fit together: the provider is held or free against the state, the events'
/// versions have a gap or another end than the order, or a wait has no deadline that will fire.
struct FindInconsistencies: Statement {
    static let sql: StaticString = """
        SELECT orders.id::text || ' ' || orders.state || ' v' || orders.version
            || ' held ' || (providers.current_order IS NOT DISTINCT FROM orders.id) || ' events ' || events.versions::text
        FROM orders JOIN providers ON providers.account = orders.provider
        CROSS JOIN LATERAL (
            SELECT array_agg((payload::jsonb -> 'order' ->> 'version')::bigint ORDER BY seq) AS versions
            FROM outbox WHERE aggregate = orders.id::text AND name LIKE 'dispatch.order.%') AS events
        WHERE (providers.current_order IS NOT DISTINCT FROM orders.id)
                <> (orders.state IN ('accepted', 'enRoute', 'arrived'))
            OR events.versions IS DISTINCT FROM (SELECT array_agg(n) FROM generate_series(1, orders.version) AS n)
            OR (orders.deadline IS NULL) <> orders.is_final
            OR (NOT orders.is_final AND NOT EXISTS (
                SELECT FROM deadlines WHERE subject = orders.id::text AND due_at >= orders.deadline))
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
