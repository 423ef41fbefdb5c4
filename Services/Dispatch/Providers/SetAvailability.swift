import Foundation
import Postgres

/// Switches a provider on or off and returns the start of the availability. Switching on again keeps the start.
struct SetAvailability: Statement {
    static let sql: SQL = """
        UPDATE provider_roles SET available = $3,
            available_at = CASE WHEN $3 THEN coalesce(available_at, now()) END
        WHERE market = $1 AND account = $2 AND sells = (
            SELECT min(role.sells::int) = 1 FROM provider_roles AS role WHERE role.market = $1 AND role.account = $2)
        RETURNING available_at
        """
    let market: String
    let account: UUID
    let isAvailable: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, isAvailable) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date? { try row.next() }
}
