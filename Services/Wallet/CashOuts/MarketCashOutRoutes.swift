import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves a market's cash-outs to its admins, who decide them. Never shows the number of a bank account or card.
struct MarketCashOutRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/cash-outs", use: list)
        group.get("markets/{market}/cash-outs.csv", use: csv)
        group.get("markets/{market}/cash-outs/{cashOut}") { _, context in
            let market = try context.administeredMarket()
            let id = try context.uuid("cashOut")
            guard let cashOut = try await parts.pool.first(FindCashOut(cashOut: id)), cashOut.market == market.id else {
                throw Problem.notFound
            }
            let waiting = try await parts.pool.first(FindApprovalsOfCashOuts(cashOuts: [id]))
            return MarketCashOutView(cashOut, context.language, waiting, try await origins(of: cashOut))
        }
        group.post("markets/{market}/cash-outs/{cashOut}/decision", use: decide)
    }

    /// The wallet's money sources, for the deciding admin.
    private func origins(of cashOut: CashOut) async throws -> MarketCashOutView.Origins {
        let (holds, now) = (CardHolds(parts.markets), parts.clock())
        return try await parts.pool.withTransaction(.readOnly) { transaction in
            let since = cashOut.madeAt.addingTimeInterval(-Double(MoneySources.days) * 86_400)
            let (history, _) = try await WalletHistory.since(
                since, of: cashOut.account, cashOut.currency, limit: MoneySources.entryLimit, in: transaction)
            let counted = history.prefix(MoneySources.entryLimit).map(\.entry).filter {
                $0.subject != cashOut.id && $0.at >= since && $0.at <= cashOut.madeAt
            }
            let money = try await CardMoney.of(
                cashOut.account, cashOut.currency, holds, at: now, in: transaction)
            let recent = try await transaction.first(
                SumEarningsFromCards(
                    account: cashOut.account, currency: cashOut.currency,
                    since: holds.beginning(before: cashOut.madeAt),
                    until: cashOut.madeAt, limit: MoneySources.entryLimit))
            return MarketCashOutView.Origins(
                since: history.count > MoneySources.entryLimit ? counted.last?.at ?? since : since,
                sources: MoneySources(counted), fromCards: recent,
                cardMoneyHeld: money.leaving(at: now, holds).held,
                isFrozen: try await WalletFreeze.isFrozen(cashOut.account, in: transaction))
        }
    }

    @Sendable private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("cashOut")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let accepts = form.bool("accept")
        let reason = form.words("reason", length: 3...500, required: accepts == false)
        guard let accepts, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let decided = try await DecideCashOut.decide(
                id, in: market.id, rejecting: accepts ? nil : reason ?? "", by: context.caller.accountID,
                above: { parts.amount(\.secondApprovalAmount, in: $0, of: market) }, at: parts.clock(), in: transaction)
            return try .json(.ok, MarketCashOutView(decided.cashOut, context.language, decided.approval))
        }
    }

    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<MarketCashOutView> {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = CashOutQuery(form)
        let page = try form.page(
            of: "markets/\(market.id)/cash-outs", owner: context.caller.accountID, sealedBy: parts.sealer)
        let settled = try await page.settled(parts.pool)
        let rows = try await parts.pool.query(
            ListCashOutsOfMarket(
                filter: query.filter(market: market.id, after: page.last, limit: page.fetchLimit)))
        let waiting = try await parts.pool.query(FindApprovalsOfCashOuts(cashOuts: rows.map(\.id)))
        let frozen = Set(try await parts.pool.query(FindFrozenAccounts(accounts: rows.map(\.account))))
        return try page.answer(
            rows, settled: settled, at: { ($0.madeAt, $0.id) },
            item: { cashOut in
                MarketCashOutView(
                    cashOut, context.language, waiting.first { $0.subject == cashOut.id },
                    isFrozen: frozen.contains(cashOut.account))
            })
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = CashOutQuery(form)
        try form.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "cash-outs-\(market.id)",
            head: CashOut.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListCashOutsOfMarket(filter: query.filter(market: market.id, after: after, limit: limit)))
            }, position: { ($0.madeAt, $0.id) },
            line: { cashOut in
                [
                    .text(cashOut.id.text), .text(Timestamp.text(cashOut.madeAt)),
                    .text(cashOut.state.name.text(in: language)),
                    .text(cashOut.account.text), .text(cashOut.destination.holder),
                    .text(cashOut.destination.bankName), .text(cashOut.destination.lastFour),
                    .number(cashOut.amount), .text(cashOut.currency),
                    .text(cashOut.reason.map { StatementWords.reason($0, in: language) }),
                    .text(cashOut.decidedBy?.text), .text(cashOut.decidedAt.map(Timestamp.text)),
                ]
            }
        ).response()
    }
}

private struct CashOutQuery {
    let state: CashOut.State?
    let account: UUID?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        state = query.choice("state", of: CashOut.State.self)
        account = query.uuid("account")
        from = query.date("from")
        to = query.date("to")
    }

    func filter(market: String, after: (at: Date, id: UUID)?, limit: Int) -> CashOutFilter {
        CashOutFilter(
            account: account, market: market, state: state, from: from, to: to, after: after, limit: limit)
    }
}

/// The owner's view of a cash-out, with the account and the deciding admin.
struct MarketCashOutView: ResponseEncodable, Sendable {
    let account: String
    let decidedBy: String?
    /// The admin who accepted first, while a second acceptance is needed.
    let acceptedFirstBy: String?
    let details: CashOutView
    /// Nil in lists.
    let origins: Origins?
    /// Whether the owner's wallet is frozen; only in lists.
    let isFrozen: Bool?

    /// The sources of the wallet's money, in minor units of the cash-out's currency.
    struct Origins: Encodable, Sendable {
        let since: Date
        let cards, earnings, refunds, other: Int
        let spent: Int
        /// The part of the earnings that came within the holding time from payers who paid by card or had topped up by
        /// card, and how many they are.
        let earningsFromCards, cardPayers: Int
        /// Money in the wallet that came from a card and cannot leave yet.
        let cardMoneyHeld: Int
        let isFrozen: Bool

        init(
            since: Date, sources: MoneySources, fromCards: SumEarningsFromCards.Row?, cardMoneyHeld: Int, isFrozen: Bool
        ) {
            self.since = since
            (cards, earnings, refunds, other) = (sources.cards, sources.earnings, sources.refunds, sources.other)
            spent = sources.spent
            (earningsFromCards, cardPayers) = (fromCards?.amount ?? 0, fromCards?.payers ?? 0)
            self.cardMoneyHeld = cardMoneyHeld
            self.isFrozen = isFrozen
        }
    }

    init(
        _ cashOut: CashOut, _ language: Language, _ approval: Approval?, _ origins: Origins? = nil,
        isFrozen: Bool? = nil
    ) {
        self.origins = origins
        self.isFrozen = isFrozen
        acceptedFirstBy = approval?.begunBy.text
        account = cashOut.account.text
        decidedBy = cashOut.decidedBy?.text
        details = CashOutView(cashOut, language)
    }

    private enum Key: String, CodingKey { case account, decidedBy, acceptedFirstBy, sources, isFrozen }

    func encode(to encoder: any Encoder) throws {
        try details.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(account, forKey: .account)
        try container.encodeIfPresent(decidedBy, forKey: .decidedBy)
        try container.encodeIfPresent(origins, forKey: .sources)
        try container.encodeIfPresent(acceptedFirstBy, forKey: .acceptedFirstBy)
        try container.encodeIfPresent(isFrozen, forKey: .isFrozen)
    }
}

extension CashOut.Obstacle: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .frozen: Problem("cash-out-wallet-frozen", status: .conflict)
        case .blocked: Problem("cash-out-account-blocked", status: .conflict)
        case .owing: Problem("cash-out-wallet-owes", status: .conflict)
        }
    }
}
