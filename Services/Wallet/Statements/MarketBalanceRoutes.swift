import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves the balances of named people of a market to its admins, for the list of people (I13). Every reading is in the
/// audit log.
struct MarketBalanceRoutes {
    /// Most people of one question.
    static let maximum = 100

    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/wallets", use: list)
    }

    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> WholeList<MarketBalanceView> {
        let market = try context.administeredMarket()
        let query = QueryForm(request, ignoring: .unknown)
        let accounts = query.ids("accounts", maximum: Self.maximum)
        try query.finish()
        let rows = try await parts.pool.query(ListBalancesOfPeople(market: market.id, accounts: accounts))
        return WholeList(items: rows.map(MarketBalanceView.init))
    }
}

/// The money in somebody's wallet.
struct MarketBalanceView: Encodable, Sendable {
    let account: String
    let balance: Money

    init(_ row: ListBalancesOfPeople.Row) {
        account = row.account.text
        balance = Money(amount: row.balance, currency: row.currency)
    }
}

/// The wallets of those of these people who have paid, earned, or been fined in a market. A person who only sells
/// there, such as a restaurant's owner, is known by the statement alone.
struct ListBalancesOfPeople: Statement {
    struct Row: Sendable {
        let account: UUID
        let currency: String
        let balance: Int
    }

    static let sql: SQL = """
        SELECT owner, currency, balance FROM accounts
        WHERE kind = 'wallet' AND owner = ANY ($2::uuid[]) AND (
            EXISTS (SELECT FROM payments WHERE customer = accounts.owner AND market = $1)
            OR EXISTS (SELECT FROM payments WHERE provider = accounts.owner AND market = $1)
            OR EXISTS (SELECT FROM statement_lines WHERE account = accounts.owner AND market = $1)
            OR EXISTS (SELECT FROM fines WHERE fines.account = accounts.owner AND fines.market = $1)
            OR EXISTS (SELECT FROM top_ups WHERE top_ups.account = accounts.owner AND top_ups.market = $1))
        ORDER BY owner, currency
        """
    let market: String
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(market, accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), currency: try row.next(), balance: try row.next())
    }
}
