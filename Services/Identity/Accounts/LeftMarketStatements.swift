import Foundation
import Postgres

/// Records that an admin has removed the account from a market.
struct PutLeftMarket: Statement {
    static let sql: SQL = """
        INSERT INTO left_markets (account, market, removed_at, removed_by) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account, market) DO UPDATE SET removed_at = excluded.removed_at, removed_by = excluded.removed_by
        """
    let account: UUID
    let market: String
    let admin: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, now, admin) }
}

/// Returns a row when an admin has removed the account from the market and no admin has verified it since.
struct HasLeftMarket: Statement {
    static let sql: SQL = "SELECT true FROM left_markets WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct DeleteLeftMarket: Statement {
    static let sql: SQL = "DELETE FROM left_markets WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// Deletes the documents that a provider uploaded for a market.
struct DeleteMarketDocuments: Statement {
    static let sql: SQL = "DELETE FROM documents WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// Deletes the details that were typed in for a market, including the bank account.
struct DeleteMarketDetails: Statement {
    static let sql: SQL = "DELETE FROM role_details WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

struct DeleteMarketPlaces: Statement {
    static let sql: SQL = "DELETE FROM saved_places WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

struct DeleteMarketTerms: Statement {
    static let sql: SQL = "DELETE FROM accepted_terms WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}
