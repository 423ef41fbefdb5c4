import Foundation
import Postgres

struct FindProviderRole: Statement {
    static let sql: SQL = """
        SELECT title, verified, available, available_at FROM provider_roles WHERE market = $1 AND account = $2
        ORDER BY sells LIMIT 1
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ProviderRole {
        try row.nextProviderRole()
    }
}
