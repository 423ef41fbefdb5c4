import Foundation
import Postgres

/// Stores a confirmed link unless it was removed already.
struct StoreLink: Statement {
    static let sql: SQL = """
        INSERT INTO links (link, market, from_account, to_account, scopes, is_removed) VALUES ($1, $2, $3, $4, $5, false)
        ON CONFLICT (link) DO NOTHING
        """
    let link: UUID
    let market: String?
    let from: UUID
    let to: UUID
    let scopes: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(link, market, from, to, scopes) }
}

struct RemoveLink: Statement {
    static let sql: SQL = """
        INSERT INTO links (link, market, from_account, to_account, scopes, is_removed) VALUES ($1, $2, $3, $4, '{}', true)
        ON CONFLICT (link) DO UPDATE SET is_removed = true, scopes = '{}', heard_at = now()
        """
    let link: UUID
    let market: String?
    let from: UUID
    let to: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(link, market, from, to) }
}

/// Finds the name of a relative for whom an account may order in a market; no row without such a link.
struct FindRelative: Statement {
    struct Row: Sendable {
        let name: String
        /// Whether the relative may see the account's orders.
        let sees: Bool
    }

    static let sql: SQL = """
        SELECT people.name, sees_orders($3, $2, $1) FROM people
        WHERE people.account = $3 AND EXISTS (
            SELECT FROM links
            WHERE market = $1 AND NOT is_removed AND 'order' = ANY (scopes)
                AND ((from_account = $2 AND to_account = $3) OR (from_account = $3 AND to_account = $2)))
        """
    let market: String
    let account: UUID
    let relative: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, relative) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(name: try row.next(), sees: try row.next())
    }
}

/// Finds out whether an account has a link with one of the others, in any market and of any scope. Always one row.
struct IsLinkedToAny: Statement {
    static let sql: SQL = """
        SELECT EXISTS (
            SELECT FROM links WHERE from_account = $1 AND to_account = ANY ($2) AND NOT is_removed
            UNION ALL SELECT FROM links WHERE to_account = $1 AND from_account = ANY ($2) AND NOT is_removed)
        """
    let account: UUID
    let others: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(account, others) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Lists the markets in which an account may see a relative's orders; no rows without such a link.
struct ListSeenMarkets: Statement {
    static let sql: SQL = """
        SELECT DISTINCT market FROM links
        WHERE market IS NOT NULL AND NOT is_removed AND 'see' = ANY (scopes) AND ($3::text IS NULL OR market = $3)
            AND ((from_account = $1 AND to_account = $2) OR (from_account = $2 AND to_account = $1))
        """
    let account: UUID
    let relative: UUID
    /// Nil for all markets.
    var market: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, relative, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
