import Foundation
import Postgres

/// Filters providers who could take an order for these services now, with their prices.
///
/// Reads every table through its primary key, once per provider.
struct FilterFreeProviders: Statement {
    struct Candidate: Sendable {
        let account: UUID
        let name: String
        let title: String?
        let gender: String?
        /// The name of the picture.
        let avatar: String?
        let stars: Int
        let ratings: Int
        let offerings: [Offering]
    }

    static let sql: SQL = """
        SELECT role.account, person.name, role.title, person.gender, person.avatar,
            coalesce(rating.stars, 0), coalesce(rating.count, 0), offered.services, offered.prices
        FROM unnest($2::uuid[]) AS asked (account)
        JOIN provider_roles AS role ON role.market = $1 AND role.account = asked.account AND NOT role.sells
            AND role.verified AND role.available
        JOIN providers AS provider ON provider.account = role.account AND provider.current_order IS NULL
        JOIN people AS person ON person.account = role.account
        CROSS JOIN LATERAL (
            SELECT array_agg(service) AS services, array_agg(price) AS prices, count(*) AS found
            FROM offerings
            WHERE offerings.market = $1 AND offerings.account = role.account AND offerings.service = ANY ($3)
                AND coalesce(offerings.currency, $8) = $7
        ) AS offered
        LEFT JOIN rating_sums AS rating ON rating.market = $1 AND rating.account = role.account
            AND rating.role = 'provider'
        WHERE offered.found = cardinality($3::text[])
            AND ($4::text IS NULL OR person.gender = $4) AND strpos(person.search_name, $5) > 0
            AND (NOT $6 OR EXISTS (
                SELECT FROM provider_subscriptions AS subscription
                WHERE subscription.market = $1 AND subscription.account = role.account AND subscription.ends_at > now()))
        """
    let market: String
    let accounts: [UUID]
    /// Service ids, each once.
    let services: [String]
    let gender: String?
    /// Search text folded by ``SearchName``; an empty text matches every name.
    let name: String
    /// Whether only subscribed providers count.
    let needsSubscription: Bool
    let currency: PriceCurrency
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, accounts, services, gender, name, needsSubscription, currency.code, currency.first)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Candidate {
        let (account, name): (UUID, String) = (try row.next(), try row.next())
        let (title, gender): (String?, String?) = (try row.next(), try row.next())
        let avatar: String? = try row.next()
        let (stars, ratings): (Int, Int) = (try row.next(), try row.next())
        let (services, prices): ([String], [Int]) = (try row.next(), try row.next())
        return Candidate(
            account: account, name: name, title: title, gender: gender, avatar: avatar, stars: stars, ratings: ratings,
            offerings: zip(services, prices).map { Offering(service: $0, price: $1) })
    }
}
