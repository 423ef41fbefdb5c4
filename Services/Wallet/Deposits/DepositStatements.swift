import Foundation
import Postgres

extension Deposit {
    /// Reads the columns of every statement that selects deposits, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), order: try row.next(), market: try row.next(), provider: try row.next(),
            providerName: try row.next(), customer: try row.next(), customerName: try row.next(),
            currency: try row.next(), amount: try row.next(), orderVersion: try row.next(),
            state: try row.choice(State.self))
    }
}

struct InsertDeposit: Statement {
    static let sql: SQL = """
        INSERT INTO deposits (
            id, order_id, market, provider, provider_name, customer, customer_name, currency, amount, order_version, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """
    let deposit: Deposit
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            deposit.id, deposit.order, deposit.market, deposit.provider, deposit.providerName, deposit.customer,
            deposit.customerName, deposit.currency, deposit.amount, deposit.orderVersion, deposit.state.rawValue)
    }
}

struct UpdateDeposit: Statement {
    static let sql: SQL = """
        UPDATE deposits SET state = $2, order_version = $3, changed_at = now() WHERE id = $1
        """
    let deposit: Deposit
    func bind(_ bindings: inout Bindings) {
        bindings.append(deposit.id, deposit.state.rawValue, deposit.orderVersion)
    }
}

/// Finds the locked deposit of an order, at most one. The order's payment must be locked.
struct FindLockedDeposit: Statement {
    static let sql: SQL = """
        SELECT id, order_id, market, provider, provider_name, customer, customer_name, currency, amount, order_version, state
        FROM deposits WHERE order_id = $1 AND state = 'locked'
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Deposit { try Deposit(row: &row) }
}

/// Reads a wallet's current balance; no row when nothing was ever posted to it.
struct ReadBalance: Statement {
    static let sql: SQL = """
        SELECT balance FROM accounts WHERE owner = $1 AND kind = 'wallet' AND currency = $2 AND shard = 0
        """
    let account: UUID
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
