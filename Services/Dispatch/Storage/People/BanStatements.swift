import Foundation
import Postgres

/// Keeps a ban, or its change. No row when something newer was heard.
struct StoreBan: Statement {
    static let sql: StaticString = """
        INSERT INTO bans (account, market, until, at, is_lifted) VALUES ($1, $2, $3, $4, false)
        ON CONFLICT (account, market) DO UPDATE SET until = excluded.until, at = excluded.at, is_lifted = false
        WHERE bans.at < excluded.at
        RETURNING true
        """
    let account: UUID
    let market: String
    let until: Date?
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
        bindings.append(until)
        bindings.append(at)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Takes a ban back, also one that is heard of later.
struct LiftBan: Statement {
    static let sql: StaticString = """
        INSERT INTO bans (account, market, at, is_lifted) VALUES ($1, $2, $3, true)
        ON CONFLICT (account, market) DO UPDATE SET at = excluded.at, is_lifted = true WHERE bans.at <= excluded.at
        """
    let account: UUID
    let market: String
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
        bindings.append(at)
    }
}

/// Which of these are banned in a market at this moment.
struct FindBanned: Statement {
    static let sql: StaticString = "SELECT account FROM unnest($1::uuid[]) AS account WHERE is_banned(account, $2)"
    let accounts: [UUID]
    let market: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(accounts)
        bindings.append(market)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct DeleteBans: Statement {
    static let sql: StaticString = "DELETE FROM bans WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// The switch goes off; `*` is in every market.
struct StopAvailability: Statement {
    static let sql: StaticString = """
        UPDATE provider_roles SET available = false, available_at = NULL
        WHERE account = $1 AND (market = $2 OR $2 = '*') AND available
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
    }
}

/// A page of the open orders that somebody is a party of in a market, or in all.
struct ListOrdersOfParty: Statement {
    static let sql: StaticString = """
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
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
        bindings.append(after)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
