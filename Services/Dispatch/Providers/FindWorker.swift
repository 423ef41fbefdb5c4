import Foundation
import Postgres

/// Finds an account that may work in a market (verified there and not banned), with its ratings there.
struct FindWorker: Statement {
    static let sql: SQL = """
        SELECT coalesce(sums.stars, 0), coalesce(sums.count, 0)
        FROM provider_roles AS role
        LEFT JOIN rating_sums AS sums
            ON sums.market = role.market AND sums.account = role.account AND sums.role = 'provider'
        WHERE role.market = $1 AND role.account = $2 AND NOT role.sells AND role.verified AND NOT is_banned($2, $1)
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetails.Standing {
        OrderDetails.Standing(stars: try row.next(), count: try row.next())
    }
}
