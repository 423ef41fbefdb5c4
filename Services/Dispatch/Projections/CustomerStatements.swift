import Foundation
import Postgres

/// Replaces the markets where an account is a customer; returns each market that it has lost.
struct StoreCustomerRoles: Statement {
    static let sql: SQL = """
        WITH lost AS (
            DELETE FROM customer_roles WHERE account = $1 AND market <> ALL ($2) RETURNING market
        ), kept AS (
            INSERT INTO customer_roles (account, market) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING
        )
        SELECT market FROM lost
        """
    let account: UUID
    /// Each once.
    let markets: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(account, markets) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Returns a row if the account is a customer of the market, banned or not.
struct FindCustomerRole: Statement {
    static let sql: SQL = "SELECT true FROM customer_roles WHERE account = $2 AND market = $1"
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Returns a row if the account is a customer of the market and not banned there.
struct FindCustomer: Statement {
    static let sql: SQL = """
        SELECT true FROM customer_roles WHERE account = $2 AND market = $1 AND NOT is_banned($2, $1)
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
