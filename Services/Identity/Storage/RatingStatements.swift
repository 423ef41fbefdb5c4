import Foundation
import Postgres

/// Adds one rating to the sum. Of somebody who is gone nothing is kept.
struct AddRating: Statement {
    static let sql: StaticString = """
        INSERT INTO ratings (account, market, role, count, stars)
        SELECT id, $2, $3, 1, $4 FROM accounts WHERE id = $1 FOR KEY SHARE
        ON CONFLICT (account, market, role) DO UPDATE SET
            count = ratings.count + 1, stars = ratings.stars + excluded.stars
        """
    let account: UUID
    let market: String
    let role: Role.Kind
    let stars: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
        bindings.append(role.rawValue)
        bindings.append(stars)
    }
}

struct ListRatingSums: Statement {
    static let sql: StaticString = """
        SELECT market, role, count, stars FROM ratings WHERE account = $1 AND ($2::text IS NULL OR market = $2)
        ORDER BY market, role
        """
    let account: UUID
    /// Nil is all of them.
    let market: String?

    struct Row: Sendable {
        let market: String
        let role: String
        let count: Int
        let stars: Int
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(market: try row.next(), role: try row.next(), count: try row.next(), stars: try row.next())
    }
}
