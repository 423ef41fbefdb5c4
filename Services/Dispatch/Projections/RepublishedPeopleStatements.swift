import Contracts
import Foundation
import LiveMarkets
import Postgres

/// Stores a person like ``StorePerson``, but accepts an equal version, too, and skips deleted accounts.
struct UpsertRepublishedPerson: Statement {
    static let sql: SQL = """
        INSERT INTO people (account, version, name, search_name, gender, language, avatar)
        VALUES ($1, $2, $3, $4, $5, $6, $8)
        ON CONFLICT (account) DO UPDATE SET version = excluded.version, name = excluded.name,
            search_name = excluded.search_name, gender = excluded.gender, language = excluded.language,
            avatar = excluded.avatar
        WHERE people.version <= excluded.version AND people.name <> $7
        RETURNING version
        """
    let account: UUID
    let version: Int
    let name: String
    let searchName: String
    let gender: String?
    let language: String
    let avatar: String?
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, version, name, searchName, gender, language, AccountSnapshot.goneName, avatar)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Locks people against changes until the commit.
struct SharePeople: Statement {
    static let sql: SQL =
        "SELECT account FROM people WHERE account = ANY ($1::uuid[]) ORDER BY account FOR SHARE"
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Deletes people that identity does not know and on whom nothing depends here: no order, and no role as a provider.
struct DeleteStalePeople: Statement {
    static let sql: SQL = """
        DELETE FROM people
        WHERE ($1::uuid IS NULL OR account > $1) AND ($2::uuid IS NULL OR account <= $2)
            AND account <> ALL ($3::uuid[]) AND heard_at < $4 AND name <> $5
            AND NOT EXISTS (SELECT FROM orders WHERE orders.customer = people.account)
            AND NOT EXISTS (SELECT FROM providers WHERE providers.account = people.account)
        """
    let told: AccountsTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            told.range.after, told.range.through, told.accounts.map(\.account.account), told.range.surelyKnown,
            AccountSnapshot.goneName)
    }
}

/// Deletes customers' roles of accounts that do not exist.
struct DropStrayCustomerRoles: Statement {
    static let sql: SQL = """
        DELETE FROM customer_roles AS role
        WHERE ($1::uuid IS NULL OR account > $1) AND ($2::uuid IS NULL OR account <= $2)
            AND NOT EXISTS (SELECT FROM people WHERE people.account = role.account)
        """
    let range: ToldRange
    func bind(_ bindings: inout Bindings) { bindings.append(range.after, range.through) }
}

/// Stores the bans in force, compared by the accounts' versions.
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

/// Lifts bans of these accounts that identity no longer has. Expired ones are skipped, because identity does not list
/// them.
struct LiftStaleBans: Statement {
    static let sql: SQL = """
        UPDATE bans SET is_lifted = true, version = told.version
        FROM unnest($1::uuid[], $2::bigint[]) AS told (account, version)
        WHERE bans.account = told.account AND NOT bans.is_lifted AND (bans.until IS NULL OR bans.until > $5)
            AND coalesce(bans.version <= told.version, bans.at < $6)
            AND NOT EXISTS (
                SELECT FROM unnest($3::uuid[], $4::text[]) AS holds (account, market)
                WHERE holds.account = bans.account AND holds.market = bans.market)
        """
    let told: AccountsTold
    func bind(_ bindings: inout Bindings) {
        let bans = told.accounts.flatMap { one in one.bans.map { (one.account.account, $0.market) } }
        bindings.append(columnsOf: told.accounts, \.account.account, \.account.version)
        bindings.append(columnsOf: bans, \.0, \.1)
        bindings.append(told.range.readAt, told.range.surelyKnown)
    }
}

/// Stores links. They have no version: a link that was removed here after the snapshot was read stays removed.
struct UpsertRepublishedLinks: Statement {
    static let sql: SQL = """
        INSERT INTO links (link, market, from_account, to_account, scopes, is_removed)
        SELECT link, market, from_account, to_account, string_to_array(scopes, ' '), false
        FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[])
            AS told (link, market, from_account, to_account, scopes)
        WHERE NOT EXISTS (
            SELECT FROM people WHERE people.account IN (told.from_account, told.to_account) AND people.name = $6)
        ORDER BY link
        ON CONFLICT (link) DO UPDATE SET market = excluded.market, from_account = excluded.from_account,
            to_account = excluded.to_account, scopes = excluded.scopes, is_removed = false
        WHERE NOT links.is_removed OR links.heard_at < $7
        """
    let told: LinksTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: told.links, \.link, \.market, \.from, \.to)
        bindings.append(
            told.links.map { $0.scopes.joined(separator: " ") }, AccountSnapshot.goneName, told.range.surelyKnown)
    }
}

struct RemoveStaleLinks: Statement {
    static let sql: SQL = """
        UPDATE links SET is_removed = true, scopes = '{}', heard_at = now()
        WHERE ($1::uuid IS NULL OR link > $1) AND ($2::uuid IS NULL OR link <= $2) AND link <> ALL ($3::uuid[])
            AND heard_at < $4 AND NOT is_removed
        """
    let told: LinksTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(told.range.after, told.range.through, told.links.map(\.link), told.range.surelyKnown)
    }
}
