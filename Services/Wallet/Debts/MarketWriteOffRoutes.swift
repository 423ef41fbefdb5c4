import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves what was written off in a market to its admins, newest first.
struct MarketWriteOffRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/write-offs", use: list)
        group.get("markets/{market}/write-offs.csv", use: csv)
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<WriteOffView>
    {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = WriteOffQuery(form)
        let page = try form.page(
            of: "markets/\(market.id)/write-offs", .descending, owner: context.caller.accountID,
            sealedBy: parts.sealer)
        let rows = try await parts.pool.query(query.list(market.id, after: page.last, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.at, $0.id) }, item: WriteOffView.init)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = WriteOffQuery(form)
        try form.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "write-offs-\(market.id)",
            head: WriteOff.columns.map { $0.text(in: language) },
            part: { after, limit in try await pool.query(query.list(market.id, after: after, limit: limit)) },
            position: { ($0.at, $0.id) },
            line: { writeOff in
                [
                    .text(writeOff.id.text), .text(Timestamp.text(writeOff.at)), .text(writeOff.account.text),
                    .number(writeOff.amount), .text(writeOff.currency), .text(writeOff.reason),
                    .text(writeOff.by.text), .text(writeOff.approvedBy?.text),
                ]
            }
        ).response()
    }
}

private struct WriteOffQuery {
    let account: UUID?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        account = query.uuid("account")
        from = query.date("from")
        to = query.date("to")
    }

    func list(_ market: String, after: (at: Date, id: UUID)?, limit: Int) -> ListWriteOffs {
        ListWriteOffs(market: market, account: account, from: from, to: to, after: after, limit: limit)
    }
}

struct WriteOffView: Encodable, Sendable {
    let writeOff: String
    let account: String
    let amount: AmountView
    let reason: String
    let by: String
    /// The second admin, where one had to agree.
    let approvedBy: String?
    let at: Date

    init(_ writeOff: WriteOff) {
        self.writeOff = writeOff.id.text
        account = writeOff.account.text
        amount = AmountView(amount: writeOff.amount, currency: writeOff.currency)
        reason = writeOff.reason
        by = writeOff.by.text
        approvedBy = writeOff.approvedBy?.text
        at = writeOff.at
    }
}
