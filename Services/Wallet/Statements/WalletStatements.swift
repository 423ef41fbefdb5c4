import Foundation
import Postgres

struct WalletRow: Sendable, Hashable {
    let currency: String
    /// Minor units.
    let amount: Int
}

struct ListBalances: Statement {
    static let sql: SQL =
        "SELECT currency, balance FROM accounts WHERE owner = $1 AND kind = 'wallet' ORDER BY currency"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WalletRow {
        WalletRow(currency: try row.next(), amount: try row.next())
    }
}

/// Sums an account's money that waits: in escrow, in holds by command, in deposits for orders that it does, and in open
/// cash-outs.
struct ListHeld: Statement {
    static let sql: SQL = """
        SELECT currency, sum(amount)::bigint FROM (
            SELECT currency, amount - discount AS amount FROM payments
            WHERE customer = $1 AND state IN ('held', 'frozen', 'capturing', 'releasing', 'crediting') AND method <> 'cash'
            UNION ALL SELECT currency, amount FROM deposits WHERE provider = $1 AND state = 'locked'
            UNION ALL SELECT currency, amount FROM holds WHERE owner = $1 AND state = 'open'
            UNION ALL SELECT currency, amount FROM cash_outs WHERE account = $1 AND state IN ('waiting', 'paying')
        ) AS waiting
        GROUP BY currency
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WalletRow {
        WalletRow(currency: try row.next(), amount: try row.next())
    }
}
