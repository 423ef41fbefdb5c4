import Foundation
import Postgres
import ServiceKit

/// Says of orders, quotes and series whether they are an API key's: its account's as a customer of its market (X9).
enum KeyOwners {
    static func all(_ pool: PostgresPool) -> [KeySubject.Kind: KeyOwner] {
        [
            .order: { try await pool.first(IsCustomersOrder(order: $0, customer: $1, market: $2)) == true },
            .quote: { try await pool.first(IsAccountsQuote(quote: $0, account: $1, market: $2)) == true },
            .series: { try await pool.first(IsCustomersSeries(series: $0, customer: $1, market: $2)) == true },
        ]
    }
}

/// Whether an order is a customer's of a market.
struct IsCustomersOrder: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM orders WHERE id = $1 AND customer = $2 AND market = $3)"
    let order: UUID
    let customer: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(order, customer, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Whether a quote was made for an account in a market.
struct IsAccountsQuote: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM quotes WHERE id = $1 AND account = $2 AND market = $3)"
    let quote: UUID
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(quote, account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Whether a series is a customer's of a market.
struct IsCustomersSeries: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM series WHERE id = $1 AND customer = $2 AND market = $3)"
    let series: UUID
    let customer: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(series, customer, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
