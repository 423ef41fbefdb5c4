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
        return try page.answer(rows, at: { ($0.madeAt, $0.payment.id) }, item: MarketPaymentView.init)
    }

    @Sendable private func one(_ request: Request, _ context: AuthenticatedContext) async throws -> PaymentHistoryView {
        let market = try context.administeredMarket()
        let order = try context.uuid("order")
        let (payments, legs) = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(FindPayment(order: order), ListLegs(order: order))
        }
        guard let payment = payments.first, payment.market == market.id else { throw Problem.notFound }
        return PaymentHistoryView(payment, legs)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = MarketPaymentQuery(form)
        try form.finish()
        let pool = parts.pool
        return try await StreamCSV(
            name: "payments-\(market.id)",
            head: [
                "order", "at", "state", "method", "customer", "customerName", "provider", "providerName",
                "amountMinorUnits", "discountMinorUnits", "platformShareMinorUnits", "commissionBasisPoints",
                "currency",
                "refusal",
            ],
            part: { after, limit in
                try await pool.query(ListPayments(filter: query.filter(market.id, after: after, limit: limit)))
            }, position: { ($0.madeAt, $0.payment.id) },
            line: { row in
                let payment = row.payment
                return [
                    .text(payment.order.text), .text(Timestamp.text(row.madeAt)), .text(payment.state.rawValue),
                    .text(payment.method?.rawValue), .text(payment.customer.text), .text(payment.customerName),
                    .text(payment.provider?.text), .text(payment.terms.providerName), .number(payment.price),
                    .number(payment.discount), .number(payment.madeDivision?.platform),
                    .number(payment.terms.commissionBasisPoints), .text(payment.currency), .text(payment.refusal),
                ]
            }
        ).response()
    }

    @Sendable private func commissions(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> CommissionsView {
        try await figures(request, try context.administeredMarket())
    }

    /// One line for each party and ratio, and one for the fines.
    @Sendable private func commissionsFile(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Response {
        let market = try context.administeredMarket()
        let figures = try await figures(request, market)
        let head = ["party", "basisPoints", "payments", "revenueMinorUnits", "commissionMinorUnits", "currency"]
        let lines = figures.items.map { row -> [CSVLine.Cell] in
            [
                .text(row.party), .number(row.basisPoints), .number(row.payments), .number(row.revenue),
                .number(row.commission), .text(figures.currency),
            ]
        }
        let fines: [CSVLine.Cell] = [
            .text("fines"), .number(nil), .number(nil), .number(nil), .number(figures.fineShare),
            .text(figures.currency),
        ]
        let text = ([head.map { .text($0) }] + lines + [fines]).map(CSVLine.text).joined()
        return .csv(
            name: "commissions-\(market.id)",
            body: ResponseBody(byteBuffer: ByteBuffer(string: CSVLine.byteOrderMark + text)))
    }

    private func figures(_ request: Request, _ market: Market) async throws -> CommissionsView {
        let query = QueryForm(request)
        let (from, to) = (query.date("from"), query.date("to"))
        let settings = parts.settings(of: market)
        let currency = query.currency() ?? settings.currency
        try query.finish()
        let (figures, fines) = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                SumCommissions(market: market.id, currency: currency, from: from, to: to),
                SumFines(market: market.id, currency: currency, from: from, to: to))
        }
        return CommissionsView(
            basisPoints: settings.commissionBasisPoints, currency: currency,
            items: figures.map {
                CommissionsView.Ratio(
                    party: $0.party, basisPoints: $0.basisPoints, payments: $0.payments, revenue: $0.revenue,
                    commission: $0.commission)
            }, fineShare: fines.first?.platformShare ?? 0)
    }
}

private struct MarketPaymentQuery {
    let state: PaymentState?
    let method: PaymentMethod?
    let customer: UUID?
    let provider: UUID?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        state = query.choice("state", of: PaymentState.self)
        method = query.choice("method", of: PaymentMethod.self)
        customer = query.uuid("customer")
        provider = query.uuid("provider")
        from = query.date("from")
        to = query.date("to")
    }

    func filter(_ market: String, after: (at: Date, id: UUID)?, limit: Int) -> PaymentFilter {
        PaymentFilter(
            market: market, state: state, method: method, customer: customer, provider: provider, from: from, to: to,
            after: after, limit: limit)
    }
}

struct MarketPaymentView: Encodable, Sendable {
    struct Party: Encodable, Sendable {
        let account: String
        let name: String
    }

    let order: String
    let at: Date
    let state: String
    let method: String?
    let customer: Party
    let provider: Party?
    let amount: AmountView
    let discount: AmountView?
    let commissionBasisPoints: Int
    let refusal: String?

    init(_ row: ListPayments.Row) { self.init(row.payment, at: row.madeAt) }

    init(_ payment: Payment, at: Date) {
        order = payment.order.text
        self.at = at
        state = payment.state.rawValue
        method = payment.method?.rawValue
        customer = Party(account: payment.customer.text, name: payment.customerName)
        provider = payment.provider.map { Party(account: $0.text, name: payment.terms.providerName ?? "") }
        amount = AmountView(amount: payment.price, currency: payment.currency)
        discount = payment.promotion.map { _ in AmountView(amount: payment.discount, currency: payment.currency) }
        commissionBasisPoints = payment.terms.commissionBasisPoints
        refusal = payment.refusal
    }
}

/// A payment with all its ledger transfers.
struct PaymentHistoryView: ResponseEncodable, Sendable {
    struct Transfer: Encodable, Sendable {
        let transfer: String
        let kind: String
        let at: Date
        var entries: [Entry]
    }

    struct Entry: Encodable, Sendable {
        /// The kind of the account.
        let account: String
        /// The owner of a wallet; nil for accounts of orders, the platform and the payment provider.
        let owner: String?
        let amount: Int
    }

    let order: String
    let state: String
    let method: String?
    let amount: AmountView
    let discount: AmountView?
    let commissionBasisPoints: Int
    /// Nil before the capture.
    let providerShare: Int?
    let platformShare: Int?
    let refusal: String?
    let transfers: [Transfer]

    init(_ payment: Payment, _ legs: [LedgerLeg]) {
        order = payment.order.text
        state = payment.state.rawValue
        method = payment.method?.rawValue
        amount = AmountView(amount: payment.price, currency: payment.currency)
        discount = payment.promotion.map { _ in AmountView(amount: payment.discount, currency: payment.currency) }
        commissionBasisPoints = payment.terms.commissionBasisPoints
        providerShare = payment.madeDivision?.net(of: .provider)
        platformShare = payment.madeDivision?.platform
        refusal = payment.refusal
        var transfers: [Transfer] = []
        for leg in legs {
            let isPerson = leg.account == AccountReference.Kind.wallet.rawValue
            let entry = Entry(account: leg.account, owner: isPerson ? leg.owner.text : nil, amount: leg.amount)
            if transfers.last?.transfer == leg.transfer.text {
                transfers[transfers.count - 1].entries.append(entry)
            } else {
                transfers.append(Transfer(transfer: leg.transfer.text, kind: leg.kind, at: leg.at, entries: [entry]))
            }
        }
        self.transfers = transfers
    }
}

struct CommissionsView: ResponseEncodable, Sendable {
    struct Ratio: Encodable, Sendable {
        /// The party that earned the revenue: `provider`, `merchant`, or `platform`, which keeps all of it.
        let party: String
        let basisPoints: Int
        let payments: Int
        /// Minor units.
        let revenue: Int
        let commission: Int
    }

    /// The ratio for orders accepted from now on.
    let basisPoints: Int
    let currency: String
    /// The ratios that were applied.
    let items: [Ratio]
    /// The platform's share of the fines of this period, in minor units.
    let fineShare: Int
}
