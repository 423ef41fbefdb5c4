import Foundation
import Postgres

/// Finds the end of a provider's running subscription; no row without one (C8).
struct FindRunningSubscription: Statement {
    static let sql: SQL = """
        SELECT ends_at FROM provider_subscriptions WHERE market = $1 AND account = $2 AND ends_at > now()
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
