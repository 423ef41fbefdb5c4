import Foundation
import Postgres

extension TopUp {
    /// Reads the columns of every statement that selects top-ups, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), account: try row.next(), market: try row.next(), currency: try row.next(),
            amount: try row.next(), holder: try row.next(), method: try row.choice(PaymentMethod.self),
            state: try row.choice(State.self), reason: try row.next())
    }
}

struct InsertTopUp: Statement {
    static let sql: SQL = """
        INSERT INTO top_ups (id, account, market, currency, amount, holder, state, method)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """
    let topUp: TopUp
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            topUp.id, topUp.account, topUp.market, topUp.currency, topUp.amount, topUp.holder, topUp.state.rawValue,
            topUp.method.rawValue)
    }
}

struct UpdateTopUp: Statement {
    static let sql: SQL = "UPDATE top_ups SET state = $2, reason = $3, changed_at = now() WHERE id = $1"
    let topUp: TopUp
    func bind(_ bindings: inout Bindings) { bindings.append(topUp.id, topUp.state.rawValue, topUp.reason) }
}

struct FindTopUp: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, holder, method, state, reason
        FROM top_ups WHERE id = $1 AND account = $2
        """
    let topUp: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(topUp, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TopUp { try TopUp(row: &row) }
}

/// Finds the charge of a top-up.
struct FindChargeOfTopUp: Statement {
    static let sql: SQL = "SELECT id FROM charges WHERE subject = $1 AND purpose = 'topUp'"
    let topUp: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(topUp) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Serializes an account's top-ups until the commit.
struct LockTopUps: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('wallet.top-ups:' || $1::text, 0))::text"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Sums the account's completed and waiting top-ups since a time, in minor units.
struct SumTopUps: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint, min(made_at) FROM top_ups
        WHERE account = $1 AND currency = $2 AND made_at >= $3 AND state <> 'refused'
        """
    let account: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DailyLimit.Used {
        DailyLimit.Used(sum: try row.next(), oldest: try row.next())
    }
}

/// Locks the top-up of a charge. Returns no row when the charge is for something else.
struct LockTopUpOfCharge: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, holder, method, state, reason
        FROM top_ups WHERE id = (SELECT subject FROM charges WHERE id = $1) FOR UPDATE
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TopUp { try TopUp(row: &row) }
}
