import Foundation
import Postgres

/// Stores a ban or its change; returns no row if a newer event about it was handled.
struct StoreBan: Statement {
    static let sql: SQL = """
        INSERT INTO bans (account, market, until, at, version, is_lifted) VALUES ($1, $2, $3, $4, $5, false)
        ON CONFLICT (account, market) DO UPDATE
            SET until = excluded.until, at = excluded.at, version = excluded.version, is_lifted = false
        WHERE CASE WHEN bans.version IS NULL OR excluded.version IS NULL THEN bans.at < excluded.at
            ELSE bans.version < excluded.version END
        RETURNING true
        """
    let account: UUID
    let market: String
    let until: Date?
    let at: Date
    /// The account's version. A later event has a greater one; if one of the two has none, the times are compared.
    let version: Int?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, until, at, version) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Marks a ban as lifted, also if the event of the ban itself arrives later.
struct LiftBan: Statement {
    static let sql: SQL = """
        INSERT INTO bans (account, market, at, version, is_lifted) VALUES ($1, $2, $3, $4, true)
        ON CONFLICT (account, market) DO UPDATE
            SET at = excluded.at, version = excluded.version, is_lifted = true
        WHERE CASE WHEN bans.version IS NULL OR excluded.version IS NULL THEN bans.at <= excluded.at
            ELSE bans.version < excluded.version END
        """
    let account: UUID
    let market: String
    let at: Date
    /// As in ``StoreBan``.
    let version: Int?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, at, version) }
}

/// Finds the accounts among these that are currently banned in a market.
struct FindBanned: Statement {
    static let sql: SQL = "SELECT account FROM unnest($1::uuid[]) AS account WHERE is_banned(account, $2)"
    let accounts: [UUID]
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(accounts, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct DeleteBans: Statement {
    static let sql: SQL = "DELETE FROM bans WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Switches an account's availability off in a market, or in all (`*`).
struct StopAvailability: Statement {
    static let sql: SQL = """
        UPDATE provider_roles SET available = false, available_at = NULL
        WHERE account = $1 AND (market = $2 OR $2 = '*') AND available
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// Lists a page of the open orders that have an account as a party, in a market or in all.
struct ListOrdersOfParty: Statement {
    static let sql: SQL = """
        (SELECT id FROM orders
            WHERE customer = $1 AND NOT is_final AND (market = $2 OR $2 = '*') AND ($3::uuid IS NULL OR id > $3)
            ORDER BY id LIMIT $4)
        UNION (SELECT id FROM orders
            WHERE provider = $1 AND NOT is_final AND (market = $2 OR $2 = '*') AND ($3::uuid IS NULL OR id > $3)
            ORDER BY id LIMIT $4)
        UNION (SELECT id FROM orders
            WHERE merchant = $1 AND NOT is_final AND (market = $2 OR $2 = '*') AND ($3::uuid IS NULL OR id > $3)
            ORDER BY id LIMIT $4)
        ORDER BY id LIMIT $4
        """
    let account: UUID
    let market: String
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
