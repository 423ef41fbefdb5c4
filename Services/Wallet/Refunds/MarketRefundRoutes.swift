import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves a market's refunds to its admins.
struct MarketRefundRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/refunds", use: list)
        group.get("markets/{market}/refunds.csv", use: csv)
    }

    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<MarketRefundView> {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = RefundQuery(form)
        let page = try form.page(
            of: "markets/\(market.id)/refunds", .descending, owner: context.caller.accountID, sealedBy: parts.sealer)
        let rows = try await parts.pool.query(
            ListRefundsOfMarket(filter: query.filter(market.id, after: page.last, limit: page.fetchLimit)))
        return try page.answer(rows, at: { ($0.at, $0.id) }, item: { MarketRefundView($0, context.language) })
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = RefundQuery(form)
        try form.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "refunds-\(market.id)",
            head: Refund.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListRefundsOfMarket(filter: query.filter(market.id, after: after, limit: limit)))
            }, position: { ($0.at, $0.id) },
            line: { refund in
                [
                    .text(refund.id.text), .text(Timestamp.text(refund.at)), .text(refund.order.text),
                    .text(refund.customer.text), .number(refund.amount), .text(refund.currency),
                    .text(refund.destination.name.text(in: language)), .text(refund.state.name.text(in: language)),
                    .text(refund.funder.name.text(in: language)),
                    .text(refund.funderAccount?.text),
                    .text(StatementWords.reason(refund.reason, in: language)), .text(refund.by?.text),
                ]
            }
        ).response()
    }
}

private struct RefundQuery {
    let funder: Refund.Funder?
    let state: Refund.State?
    let customer: UUID?
    let order: UUID?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        funder = query.choice("fundedBy", of: Refund.Funder.self)
        state = query.choice("state", of: Refund.State.self)
        customer = query.uuid("customer")
        order = query.uuid("order")
        from = query.date("from")
        to = query.date("to")
    }

    func filter(_ market: String, after: (at: Date, id: UUID)?, limit: Int) -> RefundFilter {
        RefundFilter(
            market: market, funder: funder, state: state, customer: customer, order: order, from: from, to: to,
            after: after, limit: limit)
    }
}

/// A refund with its customer.
struct MarketRefundView: Encodable, Sendable {
    let customer: String
    let details: RefundView

    init(_ refund: Refund, _ language: Language) {
        customer = refund.customer.text
        details = RefundView(refund, forAdmin: true, language)
    }

    private enum Key: String, CodingKey { case customer }

    func encode(to encoder: any Encoder) throws {
        try details.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(customer, forKey: .customer)
    }
}
