import Foundation
import Postgres

/// Stores the end of a provider's subscription; an older version has no effect.
struct StoreSubscription: Statement {
    static let sql: SQL = """
        INSERT INTO provider_subscriptions AS s (market, account, version, ends_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (market, account) DO UPDATE SET version = excluded.version, ends_at = excluded.ends_at
        WHERE s.version < excluded.version
        """
    let market: String
    let account: UUID
    let version: Int
    let endsAt: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, version, endsAt) }
}

struct DeleteSubscriptions: Statement {
    static let sql: SQL = "DELETE FROM provider_subscriptions WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
