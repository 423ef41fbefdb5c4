import Foundation
import Postgres

/// The bans of an account, including those that have ended.
struct ListBans: Statement {
    static let sql: SQL = "SELECT market, reason, until FROM bans WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Ban {
        Ban(market: try row.next(), reason: try row.next(), until: try row.next())
    }
}

struct PutBan: Statement {
    static let sql: SQL = """
        INSERT INTO bans (account, market, reason, until, banned_at, banned_by, by_master)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account, market) DO UPDATE SET
            reason = excluded.reason, until = excluded.until, banned_at = excluded.banned_at,
            banned_by = excluded.banned_by, by_master = excluded.by_master
        """
    let account: UUID
    let ban: Ban
    let admin: UUID
    let isMaster: Bool
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, ban.market, ban.reason, ban.until, now, admin, isMaster)
    }
}

/// Whether a master admin set the ban.
struct FindBanAuthority: Statement {
    static let sql: SQL = "SELECT by_master FROM bans WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct DeleteBan: Statement {
    static let sql: SQL = "DELETE FROM bans WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// A ban as shown to an admin.
struct BanRow: Sendable {
    let account: UUID
    let name: String
    let reason: String
    let until: Date?
    let bannedAt: Date
    let bannedBy: UUID

    init(_ row: inout RowReader) throws(PostgresError) {
        account = try row.next()
        name = try row.next()
        reason = try row.next()
        until = try row.next()
        bannedAt = try row.next()
        bannedBy = try row.next()
    }
}

/// The bans of a market that hold, newest first; those of deleted accounts have no name.
struct ListMarketBans: Statement {
    static let sql: SQL = """
        (SELECT b.account, a.name, b.reason, b.until, b.banned_at, b.banned_by
            FROM bans b JOIN accounts a ON a.id = b.account
            WHERE b.market = $1 AND (b.banned_at, b.account) < ($2, $3) AND coalesce(b.until > $4, true)
            ORDER BY b.banned_at DESC, b.account DESC LIMIT $5)
        UNION
        (SELECT DISTINCT account, '', reason, until, banned_at, banned_by FROM banned_hashes
            WHERE market = $1 AND (banned_at, account) < ($2, $3) AND coalesce(until > $4, true)
            ORDER BY banned_at DESC, account DESC LIMIT $5)
        ORDER BY banned_at DESC, account DESC LIMIT $5
        """
    let market: String
    let before: TimePosition
    let now: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(market, before.time, before.id, now, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> BanRow { try BanRow(&row) }
}

struct FindBan: Statement {
    static let sql: SQL = """
        SELECT b.account, a.name, b.reason, b.until, b.banned_at, b.banned_by
        FROM bans b JOIN accounts a ON a.id = b.account WHERE b.market = $1 AND b.account = $2
        """
    let market: String
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> BanRow { try BanRow(&row) }
}
