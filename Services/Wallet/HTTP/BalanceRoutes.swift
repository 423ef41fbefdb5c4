import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// What the caller has, and where it came from and went. Everybody sees the own.
struct BalanceRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("wallets") { _, context in
            WholeList(items: try await ListWallets.of(context.caller, parts.pool))
        }
        group.get("statement", use: statement)
    }

    @Sendable private func statement(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<StatementLineView> {
        let query = try StatementQuery(request)
        let scope = CursorScope(list: "statement", filters: query.filters, owner: context.caller.accountID.text)
        let page = try PageRequest(request, scope: scope, sealer: parts.sealer)
        var after: (at: Date, id: UUID)?
        if let values = page.cursor?.values, values.count == 2, let at = values[0].date, let id = values[1].uuid {
            after = (at, id)
        }
        let filter = StatementFilter(
            account: context.caller.accountID, currency: query.currency, state: query.state, after: after,
            limit: page.fetchLimit)
        let rows =
            switch query.direction {
            case .ascending: try await parts.pool.query(ListStatementOldestFirst(filter: filter))
            case .descending: try await parts.pool.query(ListStatementNewestFirst(filter: filter))
            }
        return try Page(
            rows: rows, request: page, direction: query.direction, scope: scope, sealer: parts.sealer,
            position: { [.date($0.at), .uuid($0.id)] },
            item: { StatementLineView($0, language: context.language) })
    }
}
