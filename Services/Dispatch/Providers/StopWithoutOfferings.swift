import Foundation
import Postgres

/// Makes a provider without offerings unavailable. Offerings in another currency than the market's count here;
/// ``ClosePass`` ends the availability of who has no others.
struct StopWithoutOfferings: Statement {
    static let sql: SQL = """
        UPDATE provider_roles AS role SET available = false, available_at = NULL
        WHERE role.market = $1 AND role.account = $2 AND NOT role.sells AND role.available
            AND NOT EXISTS (SELECT FROM offerings WHERE market = role.market AND account = role.account)
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
}

/// Makes a batch of a market's providers unavailable who have no offering in the market's currency.
struct StopUnpricedProviders: Statement {
    static let sql: SQL = """
        UPDATE provider_roles AS role SET available = false, available_at = NULL
        WHERE (role.market, role.account, role.sells) IN (
            SELECT market, account, sells FROM provider_roles
            WHERE market = $1 AND available AND coalesce(title, '') <> ALL ($4) AND NOT EXISTS (
                SELECT FROM offerings
                WHERE offerings.market = provider_roles.market AND offerings.account = provider_roles.account
                    AND coalesce(offerings.currency, $3) = $2)
            ORDER BY account LIMIT $5 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let currency: PriceCurrency
    /// The titles that the platform searches for, which set no prices; empty text for none.
    let searched: [String]
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, currency.code, currency.first, searched, limit)
    }
}
