import Foundation
import Postgres

/// Deletes a provider's offerings of all services except these.
struct RemoveOtherOfferings: Statement {
    static let sql: SQL =
        "DELETE FROM offerings WHERE market = $1 AND account = $2 AND service <> ALL ($3)"
    let market: String
    let account: UUID
    let services: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, services) }
}
