import Foundation
import Postgres

struct ListRoles: Statement {
    static let sql: SQL = """
        SELECT market, role, title, state, reason, vehicle, car::text FROM roles WHERE account = $1
        ORDER BY requested_at, market, role, sells
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    /// Nil for a role that only a later version of the program knows.
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Role? {
        let market = try row.next(String.self)
        let kind = Role.Kind(rawValue: try row.next())
        let title = try row.next(String?.self)
        let state = Role.State(rawValue: try row.next())
        let reason = try row.next(String?.self)
        let vehicle = try row.next(String?.self)
        let car = try row.next(String?.self)
        guard let kind, let state else { return nil }
        return Role(
            market: market, kind: kind, title: title, state: state, reason: reason, vehicle: vehicle,
            car: car.flatMap(Car.init(json:)))
    }
}

/// Stores a role that is new or asked for again.
struct PutRole: Statement {
    static let sql: SQL = """
        INSERT INTO roles (account, market, role, title, state, requested_at, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account, market, role, sells) DO UPDATE SET
            title = excluded.title, state = excluded.state, requested_at = excluded.requested_at,
            reason = excluded.reason, decided_at = NULL, decided_by = NULL
        """
    let account: UUID
    let role: Role
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, role.market, role.kind.rawValue, role.title, role.state.rawValue, now, role.reason)
    }
}

struct DecideRole: Statement {
    static let sql: SQL = """
        UPDATE roles SET state = $3, reason = $4, decided_at = $5, decided_by = $6
        WHERE account = $1 AND market = $2 AND role = 'provider' AND sells = $7
        """
    let account: UUID
    let role: Role
    let admin: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, role.market, role.state.rawValue, role.reason, now, admin, role.sells)
    }
}

/// The markets in which an admin's decision about the provider holds.
struct ListDecidedMarkets: Statement {
    static let sql: SQL =
        "SELECT market FROM roles WHERE account = $1 AND role = 'provider' AND decided_at IS NOT NULL"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Sets the class of a driver's vehicle, and what it is recognized by, in an existing role.
struct SetVehicle: Statement {
    static let sql: SQL = """
        UPDATE roles SET vehicle = $4, car = $5::text::jsonb
        WHERE account = $1 AND market = $2 AND role = $3 AND sells = $6
        """
    let account: UUID
    let role: Role
    let vehicle: String?
    let car: Car?

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, role.market, role.kind.rawValue, vehicle, car?.json, role.sells)
    }
}

/// Deletes a provider's role whose title has become one of the other kind: the work's a restaurant's, or the reverse.
struct DeleteProviderRole: Statement {
    static let sql: SQL =
        "DELETE FROM roles WHERE account = $1 AND market = $2 AND role = 'provider' AND sells = $3"
    let account: UUID
    let role: Role
    func bind(_ bindings: inout Bindings) { bindings.append(account, role.market, role.sells) }
}

/// A provider as shown to an admin.
struct ProviderRow: Sendable {
    let account: UUID
    let version: Int
    let name: String
    let gender: String?
    let title: String?
    let state: String
    let reason: String?
    let requestedAt: Date
    let decidedAt: Date?

    init(_ row: inout RowReader) throws(PostgresError) {
        account = try row.next()
        version = try row.next()
        name = try row.next()
        gender = try row.next()
        title = try row.next()
        state = try row.next()
        reason = try row.next()
        requestedAt = try row.next()
        decidedAt = try row.next()
    }
}

struct ListProviders: Statement {
    static let sql: SQL = """
        SELECT r.account, a.version, a.name, a.gender, r.title, r.state, r.reason, r.requested_at, r.decided_at
        FROM roles r JOIN accounts a ON a.id = r.account
        WHERE r.role = 'provider' AND r.market = $1 AND r.state = $2 AND a.confirmed_at IS NOT NULL
            AND (r.requested_at, r.account, r.title) > ($3, $4, $6)
        ORDER BY r.requested_at, r.account, r.title LIMIT $5
        """
    let market: String
    let state: Role.State
    let after: TimePosition
    /// Of the last one of the page before: both roles of an account may wait since the same moment.
    let afterTitle: String
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(market, state.rawValue, after.time, after.id, limit, afterTitle)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> ProviderRow { try ProviderRow(&row) }
}

struct FindProvider: Statement {
    static let sql: SQL = """
        SELECT r.account, a.version, a.name, a.gender, r.title, r.state, r.reason, r.requested_at, r.decided_at
        FROM roles r JOIN accounts a ON a.id = r.account
        WHERE r.role = 'provider' AND r.market = $1 AND r.account = $2 AND ($3::text IS NULL OR r.title = $3)
        ORDER BY r.sells LIMIT 1
        """
    let market: String
    let account: UUID
    /// Nil is the work, or else the restaurant.
    let title: String?

    func bind(_ bindings: inout Bindings) { bindings.append(market, account, title) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> ProviderRow { try ProviderRow(&row) }
}
