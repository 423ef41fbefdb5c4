import Foundation
import Postgres

/// Checks that an account may work in a market: verified there and not banned.
struct FindWorker: Statement {
    static let sql: SQL = """
        SELECT true FROM provider_roles
        WHERE market = $1 AND account = $2 AND verified AND NOT is_banned($2, $1)
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
