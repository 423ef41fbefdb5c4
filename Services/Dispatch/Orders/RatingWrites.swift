import Foundation
import Postgres

/// Inserts a rating, one per party and order. The caller holds the order's lock.
struct InsertRating: Statement {
    static let sql: SQL = """
        INSERT INTO ratings (order_id, given_by, stars, service_stars, comment, given_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        """
    let order: UUID
    let by: OrderActor
    let stars: Int
    let serviceStars: Int?
    let comment: String?
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(order, by.rawValue, Int16(stars), serviceStars.map { Int16($0) }, comment, at)
    }
}

/// Adds a rating's stars to an account's sum.
struct AddStars: Statement {
    static let sql: SQL = """
        INSERT INTO rating_sums (market, account, role, stars, count) VALUES ($1, $2, $3, $4, 1)
        ON CONFLICT (market, account, role) DO UPDATE
        SET stars = rating_sums.stars + excluded.stars, count = rating_sums.count + 1
        """
    let market: String
    let account: UUID
    let role: OrderActor
    let stars: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, role.rawValue, stars) }
}
