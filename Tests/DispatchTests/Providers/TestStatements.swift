import Foundation
import Matching
import Postgres

@testable import SeraiDispatch

/// An order as the orders' half keeps it, or another state of it.
struct PutTestOrder: Statement {
    static let sql: SQL = """
        INSERT INTO orders (id, market, kind, version, state, customer, customer_name, provider, provider_name, services,
            total, currency, payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude,
            requested_at, changed_at)
        VALUES ($1, 'assef', 'visit', 1, $2, $3, 'Customer', $4, 'Provider', '[]', 100, 'SAR', 'unpaid', 0, '{}',
            'customer', false, $5, $6, now(), now())
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, version = orders.version + 1
        """
    let id: UUID
    let state: String
    let customer: UUID
    let provider: UUID
    let place: GeoPoint
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, state, customer, provider, place.latitude, place.longitude)
    }
}

struct HoldTestOrder: Statement {
    static let sql: SQL = "UPDATE providers SET current_order = $2 WHERE account = $1"
    let provider: UUID
    let order: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order) }
}

struct PutTestRating: Statement {
    static let sql: SQL = """
        INSERT INTO rating_sums (market, account, role, stars, count) VALUES ('assef', $1, $2, $3, $4)
        """
    let account: UUID
    let role: String
    let stars: Int
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, role, stars, count) }
}

struct ReadTestPerson: Statement {
    static let sql: SQL = "SELECT version, name, search_name FROM people WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TestPerson {
        TestPerson(version: try row.next(), name: try row.next(), searchName: try row.next())
    }
}

struct TestPerson: Sendable, Equatable {
    let version: Int
    let name: String
    let searchName: String
}

struct PutTestSetting: Statement {
    static let sql: SQL =
        "INSERT INTO market_settings (market, key, value, version) VALUES ('assef', $1, $2, 1)"
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(key, value) }
}
