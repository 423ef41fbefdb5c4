import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves a market's subscription plans, subscribers and revenue to its admins.
struct MarketSubscriptionRoutes {
    static let prices = 1...100_000_000

    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/subscription-plans", use: create)
        group.put("markets/{market}/subscription-plans/{plan}", use: change)
        group.post("markets/{market}/subscription-plans/{plan}/end", use: end)
        group.get("markets/{market}/subscribers", use: subscribers)
        group.get("markets/{market}/subscription-figures", use: figures)
        MarketSubscriptionFiles(parts: parts).add(to: group)
    }

    @Sendable private func create(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let period = form.planPeriod("period")
        let settings = parts.settings(of: market)
        MarketForm.check(settings.currency, form)
        guard let texts = PlanForm(form, in: settings.languages), let period, form.isValid else { throw form.problem }
        let admin = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            let now = parts.clock()
            let plan = SubscriptionPlan(
                id: .timeOrdered(), market: market.id, currency: settings.currency, period: period,
                name: texts.name, brief: texts.brief, price: texts.price)
            transaction.send(InsertPlan(plan: plan, at: now))
            try Self.tell(.planCreated, plan, by: admin, at: now, in: transaction)
            return try .json(
                .created, PlanView(plan, language: context.language),
                at: "/wallet/v1/markets/\(market.id)/subscription-plans/\(plan.id.text)")
        }
    }

    @Sendable private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> PlanView {
        let market = try context.administeredMarket()
        let id = try context.uuid("plan")
        let form = try await request.form(context: context)
        let settings = parts.settings(of: market)
        let period = form.planPeriod("period", required: false)
        guard let texts = PlanForm(form, in: settings.languages), form.isValid else { throw form.problem }
        let admin = context.caller.accountID
        return try await parts.pool.withTransaction { transaction in
            let update = UpdatePlan(
                id: id, market: market.id, period: period, name: texts.name, brief: texts.brief, price: texts.price)
            guard let plan = try await transaction.first(update) else { throw Problem.notFound }
            // After a change of the market's currency, the currency of a new price would be ambiguous.
            guard plan.currency == settings.currency else {
                throw Problem("plan-in-other-currency", status: .conflict, arguments: ["currency": plan.currency])
            }
            try Self.tell(.planChanged, plan, by: admin, at: parts.clock(), in: transaction)
            return PlanView(plan, language: context.language)
        }
    }

    @Sendable private func end(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("plan")
        let once = try await IdempotentRequest(request, context: context)
        let admin = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            let now = parts.clock()
            if let ended = try await transaction.first(EndPlan(id: id, market: market.id, at: now)) {
                try Self.tell(.planEnded, ended, by: admin, at: now, in: transaction)
            }
            // A plan that already ended stays as it is.
            guard let plan = try await transaction.first(FindPlan(plan: id)), plan.market == market.id else {
                throw Problem.notFound
            }
            return try .json(.ok, PlanView(plan, language: context.language))
        }
    }

    private static func tell(
        _ act: WalletManaged.Act, _ plan: SubscriptionPlan, by admin: UUID, at: Date,
        in transaction: PostgresTransaction
    ) throws {
        try transaction.publish(
            WalletManaged(
                market: plan.market, act: act, subject: plan.id,
                details: [
                    "name": LocalizedText(plan.name).text(in: "en"), "period": plan.period.rawValue,
                    "price": String(plan.price), "currency": plan.currency,
                ], by: admin, at: at))
    }

    @Sendable private func subscribers(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<SubscriberView> {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let state = query.choice("state", of: Subscription.State.self)
        let plan = query.uuid("plan")
        let account = query.uuid("account")
        let page = try query.page(
            of: "markets/\(market.id)/subscribers", owner: context.caller.accountID, sealedBy: parts.sealer)
        let rows = try await parts.pool.query(
            ListSubscribers(
                market: market.id, state: state, plan: plan, account: account, after: page.last,
                limit: page.fetchLimit))
        return try page.answer(
            rows, at: { ($0.endsAt, $0.subscription.id) }, item: { SubscriberView($0, context.language) })
    }

    @Sendable private func figures(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> WholeList<PlanFiguresView> {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let (from, to) = (query.date("from"), query.date("to"))
        try query.finish()
        let figures = try await parts.pool.query(SumPlans(market: market.id, from: from, to: to))
        return WholeList(items: figures.map { PlanFiguresView($0, language: context.language) })
    }
}

extension Form {
    /// How long a plan's periods last; rejected when it is no such period, or longer than any may be.
    func planPeriod(_ name: String, required: Bool = true) -> SubscriptionPlan.Period? {
        guard let text = string(name, length: 1...20, required: required) else { return nil }
        if let period = SubscriptionPlan.Period(rawValue: text) { return period }
        let allowed = SubscriptionPlan.Period.allowedDays
        reject(name, "not-a-period", ["minimum": "\(allowed.lowerBound)", "maximum": "\(allowed.upperBound)"])
        return nil
    }
}

/// Name and brief in each language of the market, and the price.
private struct PlanForm {
    let name: [String: String]
    let brief: [String: String]
    let price: Int

    /// Returns nil when a field is invalid.
    init?(_ form: Form, in languages: [String]) {
        func texts(_ name: String, _ length: ClosedRange<Int>) -> [String: String] {
            guard let group = form.group(name) else { return [:] }
            return Dictionary(
                uniqueKeysWithValues: languages.compactMap { language in
                    group.string(language, length: length, lines: true).map { (language, $0) }
                })
        }
        let (name, brief) = (texts("name", 1...100), texts("brief", 1...1_000))
        let price = form.integer("price", in: MarketSubscriptionRoutes.prices)
        guard let price, form.isValid else { return nil }
        self.name = name
        self.brief = brief
        self.price = price
    }
}

struct SubscriberView: Encodable, Sendable {
    let subscription: String
    let account: String
    /// Nil when the wallet has never heard the provider's name.
    let name: String?
    let plan: String
    /// The plan's name when the period was paid, in the caller's language, like the other texts.
    let planName: String
    let state: String
    let stateText: String
    /// The begin of the last paid period, its price and how it was paid.
    let startsAt: Date?
    let price: AmountView
    let method: String
    let methodText: String
    let endsAt: Date
    let renews: Bool

    init(_ row: ListSubscribers.Row, _ language: Language) {
        name = row.name
        planName = LocalizedText(row.planName).text(in: language.rawValue)
        stateText = row.subscription.state.name.text(in: language.rawValue)
        startsAt = row.startsAt
        price = AmountView(amount: row.price, currency: row.subscription.currency)
        method = row.method.rawValue
        methodText = row.method.name.text(in: language.rawValue)
        subscription = row.subscription.id.text
        account = row.subscription.account.text
        plan = row.plan.text
        state = row.subscription.state.rawValue
        endsAt = row.endsAt
        renews = row.subscription.renews
    }
}

struct PlanFiguresView: Encodable, Sendable {
    let plan: PlanView
    /// Current subscribers.
    let subscribers: Int
    /// Periods paid in the requested time.
    let periods: Int
    let renewals: Int
    let profit: AmountView

    init(_ figures: PlanFigures, language: Language) {
        plan = PlanView(figures.plan, language: language)
        subscribers = figures.subscribers
        periods = figures.periods
        renewals = figures.renewals
        profit = AmountView(amount: figures.profit, currency: figures.plan.currency)
    }
}
