import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import NIOCore
import Postgres
import ServiceKit

/// Serves a market's payments, their ledger transfers and the applied commissions to the market's admins. Never shows a
/// card (A5).
struct MarketPaymentRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/payments", use: list)
        group.get("markets/{market}/payments.csv", use: csv)
        group.get("markets/{market}/payments/{order}", use: one)
        group.get("markets/{market}/commissions", use: commissions)
        group.get("markets/{market}/commissions.csv", use: commissionsFile)
    }

    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<MarketPaymentView> {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = MarketPaymentQuery(form)
        let page = try form.page(
            of: "markets/\(market.id)/payments", .descending, owner: context.caller.accountID, sealedBy: parts.sealer)
        let rows = try await parts.pool.query(
            ListPayments(filter: query.filter(market.id, after: page.last, limit: page.fetchLimit)))
        return try page.answer(
            rows, at: { ($0.madeAt, $0.payment.id) }, item: { MarketPaymentView($0, context.language) })
    }

    @Sendable private func one(_ request: Request, _ context: AuthenticatedContext) async throws -> PaymentHistoryView {
        let market = try context.administeredMarket()
        let order = try context.uuid("order")
        let (payments, legs) = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(FindPayment(order: order), ListLegs(order: order))
        }
        guard let payment = payments.first, payment.market == market.id else { throw Problem.notFound }
        return PaymentHistoryView(payment, legs, context.language)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = MarketPaymentQuery(form)
        try form.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "payments-\(market.id)",
            head: Payment.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(ListPayments(filter: query.filter(market.id, after: after, limit: limit)))
            }, position: { ($0.madeAt, $0.payment.id) },
            line: { row in
                let payment = row.payment
                return [
                    .text(payment.order.text), .text(Timestamp.text(row.madeAt)),
                    .text(payment.state.nameForAdmins.text(in: language)),
                    .text(payment.method?.name.text(in: language)), .text(payment.customer.text),
                    .text(payment.customerName),
                    .text(payment.provider?.text), .text(payment.terms.providerName), .number(payment.price),
                    .number(payment.discount), .number(payment.madeDivision?.platform),
                    .number(payment.terms.commissionBasisPoints), .text(payment.currency),
                    .text(payment.refusal.map { StatementWords.reason($0, in: language) }),
                ]
            }
        ).response()
    }

    @Sendable private func commissions(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> CommissionsView {
        try await figures(request, try context.administeredMarket(), context.language)
    }

    /// One line for each party and ratio, and one for the fines.
    @Sendable private func commissionsFile(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Response {
        let market = try context.administeredMarket()
        let figures = try await figures(request, market, context.language)
        let head = CommissionFigures.columns.map { $0.text(in: context.language.rawValue) }
        let lines = figures.items.map { row -> [CSVLine.Cell] in
            [
                .text(row.partyText ?? row.party), .number(row.basisPoints), .number(row.payments),
                .number(row.revenue),
                .number(row.commission), .text(figures.currency),
            ]
        }
        let fines: [CSVLine.Cell] = [
            .text(CommissionFigures.fines.text(in: context.language.rawValue)), .number(nil), .number(nil),
            .number(nil),
            .number(figures.fineShare), .text(figures.currency),
        ]
        let text = ([head.map { .text($0) }] + lines + [fines]).map(CSVLine.text).joined()
        return .csv(
            name: "commissions-\(market.id)",
            body: ResponseBody(byteBuffer: ByteBuffer(string: CSVLine.byteOrderMark + text)))
    }

    private func figures(
        _ request: Request, _ market: Market, _ language: Language
    ) async throws -> CommissionsView {
        let query = QueryForm(request)
        let (from, to) = (query.date("from"), query.date("to"))
        let settings = parts.settings(of: market)
        let currency = query.currency() ?? settings.currency
        try query.finish()
        let (figures, fines) = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                SumCommissions(market: market.id, currency: currency, time: WholeDays(from: from, to: to)),
                SumFines(market: market.id, currency: currency, from: from, to: to))
        }
        return CommissionsView(
            basisPoints: settings.commissionBasisPoints, currency: currency,
            items: figures.map {
                CommissionsView.Ratio(
                    party: $0.party,
                    partyText: CommissionFigures.name(ofParty: $0.party)?.text(in: language.rawValue),
                    basisPoints: $0.basisPoints, payments: $0.payments, revenue: $0.revenue,
                    commission: $0.commission)
            }, fineShare: fines.first?.platformShare ?? 0)
    }
}

private struct MarketPaymentQuery {
    let state: PaymentState?
    let method: PaymentMethod?
    let customer: UUID?
    let provider: UUID?
    let order: UUID?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        state = query.choice("state", of: PaymentState.self)
        method = query.choice("method", of: PaymentMethod.self)
        customer = query.uuid("customer")
        provider = query.uuid("provider")
        order = query.uuid("order")
        from = query.date("from")
        to = query.date("to")
    }

    func filter(_ market: String, after: (at: Date, id: UUID)?, limit: Int) -> PaymentFilter {
        PaymentFilter(
            market: market, state: state, method: method, customer: customer, provider: provider, order: order,
            from: from, to: to, after: after, limit: limit)
    }
}
