import Foundation
import Postgres

/// Records the day of a use; writes at most once a day.
struct TouchActivity: Statement {
    static let sql: SQL = """
        UPDATE accounts SET last_active_on = ($2::timestamptz AT TIME ZONE 'UTC')::date
        WHERE id = $1 AND last_active_on < ($2::timestamptz AT TIME ZONE 'UTC')::date
        """
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

/// Accounts that were not used since a day and are not listed yet. Accounts of admins and of support are left out.
struct FindInactive: Statement {
    static let sql: SQL = """
        SELECT id FROM accounts a
        WHERE last_active_on < ($1::timestamptz AT TIME ZONE 'UTC')::date AND confirmed_at IS NOT NULL
            AND NOT EXISTS (SELECT FROM removals WHERE account = a.id)
            AND NOT EXISTS (SELECT FROM roles WHERE account = a.id AND role IN ('admin', 'support'))
        ORDER BY last_active_on LIMIT $2
        """
    let lastUse: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(lastUse, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// A row when the account has not been used since.
struct IsInactive: Statement {
    static let sql: SQL = """
        SELECT true FROM accounts WHERE id = $1 AND last_active_on < ($2::timestamptz AT TIME ZONE 'UTC')::date
        """
    let account: UUID
    let lastUse: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, lastUse) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Lists an account for removal. No row when it is already listed; only a relative's request replaces a listing for
/// inactivity.
struct InsertRemoval: Statement {
    static let sql: SQL = """
        INSERT INTO removals AS r (account, cause, asked_by, market, reason, asked_at, due_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account) DO UPDATE SET cause = excluded.cause, asked_by = excluded.asked_by,
            market = excluded.market, reason = excluded.reason, asked_at = excluded.asked_at, due_at = excluded.due_at
        WHERE r.cause = 'inactive' AND excluded.cause = 'relative'
        RETURNING account
        """
    let account: UUID
    let cause: RemovalCause
    var askedBy: UUID?
    var market: String?
    var reason: String?
    let now: Date
    let dueAt: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, cause.rawValue, askedBy, market, reason, now, dueAt)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Removes the listing for inactivity, after a login.
struct DeleteInactivity: Statement {
    static let sql: SQL = "DELETE FROM removals WHERE account = $1 AND cause = 'inactive'"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeleteRemoval: Statement {
    static let sql: SQL = "DELETE FROM removals WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// An account listed for removal, as shown to an admin of a market.
struct RemovalRow: Sendable {
    let account: UUID
    let name: String
    let cause: String
    let askedBy: UUID?
    let reason: String?
    let askedAt: Date
    let dueAt: Date
    let lastActiveOn: String

    init(_ row: inout RowReader) throws(PostgresError) {
        account = try row.next()
        name = try row.next()
        cause = try row.next()
        askedBy = try row.next()
        reason = try row.next()
        askedAt = try row.next()
        dueAt = try row.next()
        lastActiveOn = try row.next()
    }
}

/// The due removals of a market: of owners who were warned and did not come back, and those that a relative asked for.
struct ListRemovals: Statement {
    /// Those of the market `$1` that are due at `$2`; `$3` is ``isMaster``.
    static let due: SQL = """
        removals r JOIN accounts a ON a.id = r.account
        WHERE r.due_at <= $2 AND coalesce(r.market, $1) = $1
            AND (r.cause <> 'inactive' OR a.last_active_on < (r.asked_at AT TIME ZONE 'UTC')::date)
            AND (EXISTS (SELECT FROM roles WHERE account = r.account AND market = $1)
                OR $3 AND NOT EXISTS (SELECT FROM roles WHERE account = r.account))
        """
    static let sql: SQL = """
        SELECT r.account, a.name, r.cause, r.asked_by, r.reason, r.asked_at, r.due_at, a.last_active_on::text
        FROM \(Self.due) AND (r.due_at, r.account) > ($4, $5)
        ORDER BY r.due_at, r.account LIMIT $6
        """
    let market: String
    let now: Date
    let after: TimePosition
    let limit: Int
    /// Whether the caller is a master admin: master admins also decide about accounts without any role.
    let isMaster: Bool

    func bind(_ bindings: inout Bindings) { bindings.append(market, now, isMaster, after.time, after.id, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> RemovalRow { try RemovalRow(&row) }
}

/// One due removal.
struct FindRemoval: Statement {
    static let sql: SQL = """
        SELECT r.account, a.name, r.cause, r.asked_by, r.reason, r.asked_at, r.due_at, a.last_active_on::text
        FROM removals r JOIN accounts a ON a.id = r.account
        WHERE r.account = $2 AND r.due_at <= $3 AND coalesce(r.market, $1) = $1
            AND (r.cause <> 'inactive' OR a.last_active_on < (r.asked_at AT TIME ZONE 'UTC')::date)
            AND (EXISTS (SELECT FROM roles WHERE account = r.account AND market = $1)
                OR $4 AND NOT EXISTS (SELECT FROM roles WHERE account = r.account))
        """
    let market: String
    let account: UUID
    let now: Date
    let isMaster: Bool

    func bind(_ bindings: inout Bindings) { bindings.append(market, account, now, isMaster) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> RemovalRow { try RemovalRow(&row) }
}

/// Deletes the roles of an account in a market except admin.
struct DeleteMarketRoles: Statement {
    static let sql: SQL = "DELETE FROM roles WHERE account = $1 AND market = $2 AND role NOT IN ('admin', 'support')"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}
