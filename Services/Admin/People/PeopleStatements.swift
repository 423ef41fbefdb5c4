import Contracts
import Foundation
import Postgres
import ServiceKit

/// Stores a person unless the same or a newer version is stored.
struct StorePerson: Statement {
    static let sql: SQL = """
        INSERT INTO people (account, version, name, gender, language) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account) DO UPDATE
        SET version = excluded.version, name = excluded.name, gender = excluded.gender, language = excluded.language
        WHERE people.version < excluded.version
        """
    let account: AccountSnapshot
    func bind(_ bindings: inout Bindings) {
        bindings.append(account.account, account.version, account.name, account.gender?.rawValue, account.language)
    }
}

struct SetRegistered: Statement {
    static let sql: SQL = "UPDATE people SET registered_at = $2 WHERE account = $1"
    let account: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, at) }
}

struct DeleteRoles: Statement {
    static let sql: SQL = "DELETE FROM people_of_markets WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Inserts a person's roles in one market.
struct InsertRoles: Statement {
    static let sql: SQL = """
        INSERT INTO people_of_markets (market, account, name, names, roles) VALUES ($1, $2, $3, $4, $5)
        """
    let market: String
    let account: UUID
    let name: String
    let names: [String]
    let roles: PostgresJSON
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, name, names, roles) }
}

struct PersonRow: Sendable {
    let account: UUID
    let name: String
    let gender: String?
    let language: String
    let registeredAt: Date?
    /// Encoded ``AccountSnapshot/Role``s.
    let roles: PostgresJSON
    /// The name in the order of the list.
    let sortName: String
    /// The market of the ban in force; nil without a ban. `*` is every market.
    let banMarket: String?
    /// The end of the ban; nil for one for ever.
    let banUntil: Date?
}

/// Finds people of a market by a folded part of their names, at most as many as the limit says. In the order of the index
/// that has the names folded: else PostgreSQL expects to meet enough of them soon, and folds the names of the whole table.
struct FindNamedPeople: Statement {
    /// So many accounts are sent to the server at most. A search for "a" finds more, and has them found there again.
    static let many = 20_000

    static let sql: SQL = """
        SELECT account FROM people_of_markets AS m
        WHERE m.market = $1 AND strpos(\(SearchText.folding("m.name")), $2) > 0
        ORDER BY \(SearchText.folding("m.name")), account LIMIT $3
        """
    let market: String
    let name: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, name, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Lists people by name. The filters may be NULL: a role, a folded part of the name, and the accounts that have such a part.
struct ListPeople: Statement {
    static let sql: SQL = """
        SELECT p.account, p.name, p.gender, p.language, p.registered_at, m.roles, lower(m.name), ban.market, ban.until
        FROM people_of_markets AS m
        JOIN people AS p ON p.account = m.account
        LEFT JOIN LATERAL (
            SELECT market, until FROM bans
            WHERE bans.account = m.account AND bans.market IN ($1, '*') AND NOT is_lifted
                AND coalesce(until > $7, true)
            ORDER BY bans.market = '*' DESC LIMIT 1
        ) AS ban ON true
        WHERE m.market = $1 AND (lower(m.name), m.account) > ($2, $3)
          AND ($4::text IS NULL OR $4 = ANY (m.names))
          AND ($5::text IS NULL OR strpos(\(SearchText.folding("m.name")), $5) > 0)
          AND ($8::uuid[] IS NULL OR m.account = ANY ($8))
        ORDER BY lower(m.name), m.account
        LIMIT $6
        """
    let market: String
    let afterName: String
    let afterAccount: UUID
    let role: String?
    let part: String?
    let accounts: [UUID]?
    let limit: Int
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, afterName, afterAccount, role, part, limit, now, accounts)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PersonRow {
        PersonRow(
            account: try row.next(), name: try row.next(), gender: try row.next(), language: try row.next(),
            registeredAt: try row.next(), roles: try row.next(), sortName: try row.next(),
            banMarket: try row.next(), banUntil: try row.next())
    }
}

/// Finds the names of accounts.
struct NamePeople: Statement {
    static let sql: SQL = "SELECT account, name FROM people WHERE account = ANY ($1)"
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (UUID, String) {
        (try row.next(), try row.next())
    }
}
