import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves the caller's own balances and statement.
struct BalanceRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("wallets") { _, context in
            WholeList(items: try await ListWallets.of(context.caller, parts.markets, at: parts.clock(), parts.pool))
        }
        group.get("statement", use: statement)
        group.get("statement.csv", use: csv)
    }

    @Sendable private func statement(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<StatementLineView> {
        let form = QueryForm(request)
        let query = StatementQuery(form)
        let account = context.caller.accountID
        let page = try form.page(of: "statement", query.direction, owner: account, sealedBy: parts.sealer)
        let settled = try await page.settled(parts.pool)
        let rows = try await Self.rows(
            query.filter(account, after: page.last, limit: page.fetchLimit), query.direction, parts.pool)
        return try page.answer(
            rows, settled: settled, at: { ($0.at, $0.id) },
            item: { StatementLineView($0, language: context.language) })
    }

    private static func rows(
        _ filter: StatementFilter, _ direction: Cursor.Direction, _ pool: PostgresPool
    ) async throws -> [StatementLineRow] {
        switch direction {
        case .ascending: try await pool.query(ListStatementOldestFirst(filter: filter))
        case .descending: try await pool.query(ListStatementNewestFirst(filter: filter))
        }
    }

    /// The statement as a CSV file in the caller's language.
    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = QueryForm(request)
        let query = StatementQuery(form)
        try form.finish()
        let (account, language, pool) = (context.caller.accountID, context.language, parts.pool)
        return try await StreamCSV(
            name: "statement", head: StatementWords.columns.map { $0.text(in: language.rawValue) },
            part: { after, limit in
                try await Self.rows(query.filter(account, after: after, limit: limit), query.direction, pool)
            }, position: { ($0.at, $0.id) },
            line: { row in
                let line = StatementLineView(row, language: language)
                return [
                    .text(Timestamp.text(line.at)), .text(line.transaction), .text(line.payer), .text(line.beneficiary),
                    .number(line.amount), .text(line.currency),
                    .text(StatementWords.name(of: row.line.state).text(in: language.rawValue)),
                    .text(line.reason.map { StatementWords.reason($0, in: language.rawValue) }),
                    .text(line.order),
                ]
            }, cut: StatementWords.cut.text(in: language.rawValue)
        ).response()
    }
}
