import Foundation
import Postgres

/// Makes a provider without offerings unavailable.
struct StopWithoutOfferings: Statement {
    static let sql: SQL = """
        UPDATE provider_roles AS role SET available = false, available_at = NULL
        WHERE role.market = $1 AND role.account = $2 AND role.available
            AND NOT EXISTS (SELECT FROM offerings WHERE market = role.market AND account = role.account)
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
}
