import Contracts
import Foundation
import Postgres

/// Stores a decision. The first decision about an order is kept.
struct StoreDecision: Statement {
    static let sql: SQL = """
        INSERT INTO report_decisions (
            order_id, report, market, decision, currency, to_customer, deposit, reason, by, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (order_id) DO NOTHING
        """
    let decided: ReportDecided
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            decided.order, decided.report, decided.market, decided.decision.rawValue, decided.toCustomer?.currency,
            decided.toCustomer?.amount, (decided.deposit ?? .returnToProvider).rawValue, decided.reason, decided.by,
            decided.at)
    }
}

/// A stored decision about an order's money.
struct StoredDecision: Sendable {
    let market: String
    let decision: ReportDecided.Decision
    let currency: String?
    /// Minor units; set with `split`.
    let toCustomer: Int?
    let deposit: ReportDecided.DepositDecision

    /// Minor units of `amount` that go back to the customer.
    func toCustomer(of amount: Int) -> Int {
        switch decision {
        case .payProvider: 0
        case .returnToCustomer: amount
        case .split: toCustomer ?? 0
        }
    }
}

struct FindDecision: Statement {
    static let sql: SQL = """
        SELECT market, decision, currency, to_customer, deposit FROM report_decisions WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredDecision {
        StoredDecision(
            market: try row.next(), decision: try row.choice(ReportDecided.Decision.self), currency: try row.next(),
            toCustomer: try row.next(), deposit: try row.choice(ReportDecided.DepositDecision.self))
    }
}

/// Deletes a decision that does not fit its order, so that a fitting one can be stored.
struct ForgetDecision: Statement {
    static let sql: SQL = "DELETE FROM report_decisions WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
