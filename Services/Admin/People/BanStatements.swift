import Contracts
import Foundation
import Postgres

/// Stores a ban, or that it is lifted. Of several events about it the account's greatest version counts, in any order of
/// arrival; where one of them has none, the later time. Nothing is stored of a deleted account: what comes after its
/// deletion would stay for good.
struct StoreBan: Statement {
    static let sql: SQL = """
        WITH person AS (
            SELECT name FROM people WHERE account = $1 FOR SHARE
        )
        INSERT INTO bans (account, market, until, at, version, is_lifted)
        SELECT $1::uuid, $2::text, $3::timestamptz, $4::timestamptz, $5::bigint, $6::boolean
        WHERE NOT EXISTS (SELECT FROM person WHERE name = $7)
        ON CONFLICT (account, market) DO UPDATE
            SET until = excluded.until, at = excluded.at, version = excluded.version, is_lifted = excluded.is_lifted
        WHERE CASE WHEN bans.version IS NULL OR excluded.version IS NULL THEN bans.at <= excluded.at
            ELSE bans.version < excluded.version END
        """
    let account: UUID
    let market: String
    let until: Date?
    let at: Date
    let version: Int?
    let isLifted: Bool

    init(_ ban: AccountBanned) {
        (account, market, until, at, version) = (ban.account, ban.market, ban.until, ban.at, ban.version)
        isLifted = false
    }

    init(_ lifted: AccountUnbanned) {
        (account, market, until, at, version) = (lifted.account, lifted.market, nil, lifted.at, lifted.version)
        isLifted = true
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, market, until, at, version, isLifted, AccountSnapshot.goneName)
    }
}

/// Stores the bans in force that identity tells again.
struct UpsertRepublishedBans: Statement {
    static let sql: SQL = """
        INSERT INTO bans (account, market, until, at, version, is_lifted)
        SELECT account, market, until, at, version, false
        FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::bigint[])
            AS told (account, market, until, at, version)
        WHERE NOT EXISTS (SELECT FROM people WHERE people.account = told.account AND people.name = $6)
        ORDER BY account, market
        ON CONFLICT (account, market) DO UPDATE
            SET until = excluded.until, at = excluded.at, version = excluded.version, is_lifted = false
        WHERE coalesce(bans.version <= excluded.version, bans.at <= excluded.at)
        """
    let told: AccountsTold
    func bind(_ bindings: inout Bindings) {
        let bans = told.accounts.flatMap { one in one.bans.map { (one.account, $0) } }
        bindings.append(columnsOf: bans, \.0.account, \.1.market, \.1.until, \.1.at, \.0.version)
        bindings.append(AccountSnapshot.goneName)
    }
}

/// Lifts bans of these accounts that identity does not have any more.
struct LiftStaleBans: Statement {
    static let sql: SQL = """
        UPDATE bans SET is_lifted = true, version = told.version
        FROM unnest($1::uuid[], $2::bigint[]) AS told (account, version)
        WHERE bans.account = told.account AND NOT bans.is_lifted
            AND coalesce(bans.version <= told.version, bans.at < $5)
            AND NOT EXISTS (
                SELECT FROM unnest($3::uuid[], $4::text[]) AS holds (account, market)
                WHERE holds.account = bans.account AND holds.market = bans.market)
        """
    let told: AccountsTold
    func bind(_ bindings: inout Bindings) {
        let bans = told.accounts.flatMap { one in one.bans.map { (one.account.account, $0.market) } }
        bindings.append(columnsOf: told.accounts, \.account.account, \.account.version)
        bindings.append(columnsOf: bans, \.0, \.1)
        bindings.append(told.range.surelyKnown)
    }
}

struct DeleteBans: Statement {
    static let sql: SQL = "DELETE FROM bans WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes bans that came after the deletion of their accounts, before these were refused.
struct DeleteBansOfGone: Statement {
    static let sql: SQL = """
        DELETE FROM bans USING people
        WHERE people.account = bans.account AND people.name = $3
            AND ($1::uuid IS NULL OR bans.account > $1) AND ($2::uuid IS NULL OR bans.account <= $2)
        """
    let range: ToldRange
    func bind(_ bindings: inout Bindings) {
        bindings.append(range.after, range.through, AccountSnapshot.goneName)
    }
}
