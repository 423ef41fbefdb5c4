import Foundation
import Postgres

/// Until when a provider is subscribed; older news changes nothing.
struct StoreSubscription: Statement {
    static let sql: StaticString = """
        INSERT INTO provider_subscriptions AS s (market, account, version, ends_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (market, account) DO UPDATE SET version = excluded.version, ends_at = excluded.ends_at
        WHERE s.version < excluded.version
        """
    let market: String
    let account: UUID
    let version: Int
    let endsAt: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(account)
        bindings.append(version)
        bindings.append(endsAt)
    }
}

struct DeleteSubscriptions: Statement {
    static let sql: StaticString = "DELETE FROM provider_subscriptions WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
