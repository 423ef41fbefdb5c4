import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension AdminRoutes {
    /// Most people of one question.
    static let maximumNames = 100

    /// `GET markets/{market}/names`: who the accounts are that another service names by their ids alone. An account that has
    /// nothing to do with the market is left out, as one that there is not. Not recorded: the list that showed the ids is.
    @Sendable func names(_ request: Request, _ context: AuthenticatedContext) async throws -> NamesView {
        let market = try market(context)
        let query = QueryForm(request)
        let accounts = query.ids("accounts", maximum: Self.maximumNames)
        try query.finish()
        let rows = try await pool.query(
            NameAccounts(market: market.id, accounts: accounts, goneName: AccountSnapshot.goneName, now: clock()))
        return NamesView(items: rows.map(NamesView.Name.init))
    }
}

/// What accounts are called.
struct NamesView: ResponseEncodable, Sendable {
    struct Name: Encodable, Sendable {
        let account: String
        /// Nil for a deleted account.
        let name: String?
        let isBanned: Bool
        let isDeleted: Bool

        init(_ row: NameAccounts.Row) {
            account = row.account.text
            name = row.isGone ? nil : row.name
            isBanned = row.isBanned
            isDeleted = row.isGone
        }
    }

    let items: [Name]
}

/// Finds the names of those of these accounts that have a role in a market or in all, or are a party of an order there, and
/// of the deleted ones, whose name stands for all of them.
struct NameAccounts: Statement {
    struct Row: Sendable {
        let account: UUID
        let name: String
        let isGone: Bool
        let isBanned: Bool
    }

    static let sql: SQL = """
        SELECT account, name, name = $3, EXISTS (
            SELECT FROM bans
            WHERE bans.account = people.account AND bans.market IN ($1, '*') AND NOT is_lifted AND coalesce(until > $4, true))
        FROM people
        WHERE account = ANY ($2::uuid[]) AND (
            name = $3
            OR EXISTS (
                SELECT FROM people_of_markets AS of_market
                WHERE of_market.account = people.account AND of_market.market IN ($1, '*'))
            OR EXISTS (SELECT FROM orders WHERE customer = people.account AND orders.market = $1)
            OR EXISTS (SELECT FROM orders WHERE provider = people.account AND orders.market = $1))
        ORDER BY account
        """
    let market: String
    let accounts: [UUID]
    /// The name that stands for deleted accounts.
    let goneName: String
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, accounts, goneName, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), name: try row.next(), isGone: try row.next(), isBanned: try row.next())
    }
}
