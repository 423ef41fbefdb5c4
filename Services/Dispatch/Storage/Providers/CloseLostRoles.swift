import Foundation
import Postgres

/// Roles that the account does not have any more count as not verified; what they offered is kept for a return.
struct CloseLostRoles: Statement {
    static let sql: StaticString = """
        UPDATE provider_roles SET verified = false, available = false, available_at = NULL
        WHERE account = $1 AND market <> ALL ($2)
        """
    let account: UUID
    /// Where the account is a provider.
    let markets: [String]
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(markets)
    }
}
