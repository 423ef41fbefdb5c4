import Foundation
import Postgres

/// Adds ratings to their sums, rows in one order; see ``RatingSums``. Skips deleted accounts.
struct AddRatings: Statement {
    static let sql: SQL = """
        INSERT INTO ratings (account, market, role, count, stars)
        SELECT accounts.id, given.market, given.role, given.count, given.stars
        FROM (
            SELECT account, market, role, count(*) AS count, sum(stars)::bigint AS stars
            FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS told (account, market, role, stars)
            GROUP BY account, market, role
        ) AS given JOIN accounts ON accounts.id = given.account
        ORDER BY accounts.id, given.market, given.role FOR KEY SHARE OF accounts
        ON CONFLICT (account, market, role) DO UPDATE SET
            count = ratings.count + excluded.count, stars = ratings.stars + excluded.stars
        """
    let given: [GivenStars]

    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: given, \.account, \.market, \.role.rawValue, \.stars)
    }
}

struct ListRatingSums: Statement {
    static let sql: SQL = """
        SELECT market, role, count, stars FROM ratings WHERE account = $1 AND ($2::text IS NULL OR market = $2)
        ORDER BY market, role
        """
    let account: UUID
    /// Nil for all markets.
    let market: String?

    struct Row: Sendable {
        let market: String
        let role: String
        let count: Int
        let stars: Int
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(market: try row.next(), role: try row.next(), count: try row.next(), stars: try row.next())
    }
}
