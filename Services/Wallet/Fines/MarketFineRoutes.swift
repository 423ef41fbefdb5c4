import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves a market's fines and their sums to its admins.
struct MarketFineRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/fines", use: list)
        group.get("markets/{market}/fines.csv", use: csv)
        group.get("markets/{market}/fine-figures", use: figures)
    }

    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<FineView> {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = FineQuery(form)
        let page = try form.page(
            of: "markets/\(market.id)/fines", .descending, owner: context.caller.accountID, sealedBy: parts.sealer)
        let rows = try await parts.pool.query(
            ListFines(filter: query.filter(market.id, after: page.last, limit: page.fetchLimit)))
        return try page.answer(
            rows, at: { ($0.fine.chargedAt, $0.fine.order) }, item: { FineView($0, context.language) })
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = FineQuery(form)
        try form.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "fines-\(market.id)",
            head: Fine.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(ListFines(filter: query.filter(market.id, after: after, limit: limit)))
            }, position: { ($0.fine.chargedAt, $0.fine.order) },
            line: { row in
                let fine = row.fine
                return [
                    .text(fine.order.text), .text(Timestamp.text(fine.chargedAt)),
                    .text(row.state.name.text(in: language)),
                    .text(fine.account.text), .number(fine.amount), .text(fine.currency), .text(fine.provider?.text),
                    .number(fine.shares.provider), .number(fine.shares.platform), .text(Timestamp.text(fine.dueAt)),
                    .text(row.paidAt.map(Timestamp.text)),
                ]
            }
        ).response()
    }

    @Sendable private func figures(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> FineFiguresView {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let (from, to) = (query.date("from"), query.date("to"))
        let currency = query.currency() ?? parts.settings(of: market).currency
        try query.finish()
        let figures = try await parts.pool.first(
            SumFines(market: market.id, currency: currency, from: from, to: to))
        return FineFiguresView(figures, currency: currency)
    }
}

/// Whether a fine is still unpaid.
enum FineState: String, Sendable, CaseIterable { case unpaid, paid }

extension ListFines.Row {
    fileprivate var state: FineState { paidAt == nil ? .unpaid : .paid }
}

private struct FineQuery {
    let state: FineState?
    let account: UUID?
    let order: UUID?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        state = query.choice("state", of: FineState.self)
        account = query.uuid("account")
        order = query.uuid("order")
        from = query.date("from")
        to = query.date("to")
    }

    func filter(_ market: String, after: (at: Date, id: UUID)?, limit: Int) -> FineFilter {
        FineFilter(
            market: market, account: account, order: order, isPaid: state.map { $0 == .paid }, from: from, to: to,
            after: after, limit: limit)
    }
}

struct FineView: Encodable, Sendable {
    let order: String
    let account: String
    let amount: AmountView
    let state: String
    /// In the caller's language.
    let stateText: String
    let chargedAt: Date
    /// The last time to pay before the account is blocked.
    let dueAt: Date
    let paidAt: Date?
    /// The provider who was on the way.
    let provider: String?
    /// Minor units.
    let providerShare: Int
    let platformShare: Int

    init(_ row: ListFines.Row, _ language: Language) {
        let fine = row.fine
        order = fine.order.text
        account = fine.account.text
        amount = AmountView(amount: fine.amount, currency: fine.currency)
        state = row.state.rawValue
        stateText = row.state.name.text(in: language.rawValue)
        chargedAt = fine.chargedAt
        dueAt = fine.dueAt
        paidAt = row.paidAt
        provider = fine.provider?.text
        providerShare = fine.shares.provider
        platformShare = fine.shares.platform
    }
}

struct FineFiguresView: ResponseEncodable, Sendable {
    let currency: String
    let fines: Int
    let unpaidFines: Int
    /// Minor units.
    let amount: Int
    let unpaid: Int
    let platformShare: Int
    let providerShare: Int

    /// - Parameter figures: nil means no fines.
    init(_ figures: FineFigures?, currency: String) {
        self.currency = currency
        fines = figures?.fines ?? 0
        unpaidFines = figures?.unpaidFines ?? 0
        amount = figures?.amount ?? 0
        unpaid = figures?.unpaid ?? 0
        platformShare = figures?.platformShare ?? 0
        providerShare = figures?.providerShare ?? 0
    }
}
