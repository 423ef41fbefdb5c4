import Contracts
import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Tells a market's admins how much of its money waits for a decision: numbers for the console, which asks for them again
/// and again. They show nobody, so reading them is no entry of the audit log.
struct WaitingCountRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/waiting") { request, context in
            let market = try context.administeredMarket()
            try QueryForm(request).finish()
            let counts = try await parts.pool.first(CountWaiting(market: market.id))
            return WaitingCountView(counts ?? CountWaiting.Row(cashouts: 0, approvals: 0, disputes: 0, debtors: 0))
        }
    }
}

struct WaitingCountView: ResponseEncodable, Sendable {
    let cashouts: Int
    let approvals: Int
    let disputes: Int
    let debtors: Int

    init(_ row: CountWaiting.Row) {
        cashouts = row.cashouts
        approvals = row.approvals
        disputes = row.disputes
        debtors = row.debtors
    }
}

/// Counts what waits in a market: cash-outs and acts without a decision, disputes that are open or freeze a wallet, and people
/// who owe others something. Each by an index of the open ones.
struct CountWaiting: Statement {
    struct Row: Sendable {
        let cashouts: Int
        let approvals: Int
        let disputes: Int
        let debtors: Int
    }

    static let sql: SQL = """
        SELECT (SELECT count(*) FROM cash_outs WHERE market = $1 AND state = 'waiting'),
            (SELECT count(*) FROM approvals WHERE market = $1 AND state = 'waiting'),
            (SELECT count(*) FROM disputes WHERE market = $1 AND (is_freezing OR state IN ('inquiry', 'open'))),
            (SELECT count(DISTINCT debtor) FROM debts WHERE market = $1 AND unpaid > 0)
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(cashouts: try row.next(), approvals: try row.next(), disputes: try row.next(), debtors: try row.next())
    }
}
