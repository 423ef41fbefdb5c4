import Foundation
import Postgres

struct WalletRow: Sendable, Hashable {
    let currency: String
    /// Minor units.
    let amount: Int
}

struct ListBalances: Statement {
    static let sql: StaticString =
        "SELECT currency, balance FROM accounts WHERE owner = $1 AND kind = 'wallet' ORDER BY currency"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WalletRow {
        WalletRow(currency: try row.next(), amount: try row.next())
    }
}

/// What of an account's money waits in escrow.
struct ListHeld: Statement {
    static let sql: StaticString = """
        SELECT currency, sum(amount - discount)::bigint FROM payments
        WHERE customer = $1 AND state IN ('held', 'capturing', 'releasing') AND method <> 'cash'
        GROUP BY currency
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WalletRow {
        WalletRow(currency: try row.next(), amount: try row.next())
    }
}
