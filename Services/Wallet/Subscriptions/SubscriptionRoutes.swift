import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Serves the caller's subscription in a market, for providers.
struct SubscriptionRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/subscription-plans") { _, context in
            let market = try context.market()
            try context.caller.require(anyOf: ["provider", "admin"], in: market.id)
            let isAdmin = context.caller.has("admin", in: market.id)
            let plans = try await parts.pool.query(ListPlans(market: market.id, withEnded: isAdmin))
            // Plans in a former currency of the market are not sold.
            let currency = parts.settings(of: market).currency
            let shown = plans.filter { isAdmin || $0.currency == currency }
            return WholeList(items: shown.map { PlanView($0, language: context.language) })
        }
        group.get("markets/{market}/subscription") { _, context in
            let market = try provided(context)
            let subscription = try await own(context.caller.accountID, market)
            var action: String?
            if let pending = subscription.pending { action = try await parts.pool.first(FindAction(subject: pending)) }
            var period: SubscriptionPeriod?
            if let current = subscription.period { period = try await parts.pool.first(FindPeriod(period: current)) }
            return SubscriptionView(
                subscription, period, isRequired: isRequired(in: market), language: context.language, action: action)
        }
        group.post("markets/{market}/subscription", use: subscribe)
        group.put("markets/{market}/subscription/renewal", use: choose)
    }

    private func isRequired(in market: Market) -> Bool {
        parts.markets.settings(of: market.id)?.subscriptionRequired ?? false
    }

    private func provided(_ context: AuthenticatedContext) throws -> Market {
        let market = try context.market()
        try context.caller.require("provider", in: market.id)
        return market
    }

    /// The caller's subscription; a new, unpaid one if there is none.
    private func own(_ account: UUID, _ market: Market) async throws -> Subscription {
        try await parts.pool.first(FindSubscription(account: account, market: market.id))
            ?? Subscription(
                id: .timeOrdered(), account: account, market: market.id, currency: parts.settings(of: market).currency)
    }

    @Sendable private func subscribe(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try provided(context)
        let account = context.caller.accountID
        let once = try await IdempotentRequest(
            request, context: context, secretFields: InstrumentForm.secretFields)
        let form = try await once.request.form(context: context)
        let planID = form.uuid("plan")
        let price = form.integer("price", in: MarketSubscriptionRoutes.prices)
        let length = form.planPeriod("period", required: false)
        let method = form.choice("method", of: Subscription.Method.self)
        let card = form.uuid("card", required: method == .card)
        let cvv = method == .card ? CardForm.cvv(form) : nil
        let renews = form.bool("renews", required: false) ?? false
        guard let planID, let price, let method, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) {
            () async throws -> (SubscriptionPlan, PaySubscription.Means) in
            guard let plan = try await parts.pool.first(FindPlan(plan: planID)), plan.market == market.id,
                plan.currency == parts.settings(of: market).currency
            else { throw PlanChange.ended }
            // A first check, before the card is asked about; the transaction below decides.
            if let change = plan.change(since: price, period: length) { throw change }
            let own = try await own(account, market)
            let current: SubscriptionPeriod? =
                if let period = own.period { try await parts.pool.first(FindPeriod(period: period)) } else { nil }
            if let refusal = own.refusal(at: parts.clock(), of: current?.length) {
                throw refusal.problem(by: parts.settings(of: market))
            }
            guard method == .card, let card, let cvv else { return (plan, .wallet) }
            return (plan, .card(card, try await CardWithCVV.take(card, of: account, cvv: cvv, parts)))
        } _: { transaction, prepared in
            let (subscription, period): (Subscription, SubscriptionPeriod)
            do {
                (subscription, period) = try await PaySubscription.subscribe(
                    account, to: prepared.0, for: price, period: length, by: prepared.1, renews: renews,
                    at: parts.clock(),
                    in: transaction)
            } catch let refusal as Subscription.Refusal {
                throw refusal.problem(by: parts.settings(of: market))
            }
            return try .json(
                period.state == .paid ? .created : .accepted,
                SubscriptionView(
                    subscription, period, isRequired: isRequired(in: market), language: context.language),
                at: "/wallet/v1/markets/\(market.id)/subscription")
        }
    }

    /// Chooses whether and how the subscription renews.
    @Sendable private func choose(_ request: Request, _ context: AuthenticatedContext) async throws -> SubscriptionView
    {
        let market = try context.market()
        let account = context.caller.accountID
        let form = try await request.form(context: context)
        let renews = form.bool("renews")
        // A former provider may still stop the renewal.
        if renews != false { try context.caller.require("provider", in: market.id) }
        let method = form.choice("method", of: Subscription.Method.self, required: renews == true) ?? .wallet
        let card = form.uuid("card", required: method == .card)
        guard let renews, form.isValid else { throw form.problem }
        return try await parts.pool.withTransaction { transaction in
            if let card, try await transaction.first(FindCard(card: card, account: account)) == nil {
                throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "no-such-card")])
            }
            guard var subscription = try await transaction.first(LockSubscription(account: account, market: market.id))
            else { throw Problem.notFound }
            subscription.choose(renews: renews, method: method, card: card, at: parts.clock())
            transaction.send(UpdateSubscription(subscription: subscription))
            try await SubscriptionDeadlines.wish(subscription, at: parts.clock(), in: transaction)
            var period: SubscriptionPeriod?
            if let current = subscription.period { period = try await transaction.first(FindPeriod(period: current)) }
            return SubscriptionView(
                subscription, period, isRequired: isRequired(in: market), language: context.language)
        }
    }
}

struct SubscriptionView: ResponseEncodable, Sendable {
    /// The plan as it was when it was paid.
    struct Plan: Encodable, Sendable {
        let plan: String
        /// In the caller's language.
        let name: String
        let period: String
        let periodText: String
        let price: AmountView

        init(_ period: SubscriptionPeriod, language: Language) {
            plan = period.plan.text
            name = LocalizedText(period.planName).text(in: language.rawValue)
            self.period = period.length.rawValue
            periodText = period.length.name.text(in: language.rawValue)
            price = AmountView(amount: period.price, currency: period.currency)
        }
    }

    let market: String
    /// `none`, `active`, `expired`
    let state: String
    let stateText: String
    let endsAt: Date?
    /// Whether the payment provider is being asked about a period. `renews` is then the choice made with that payment.
    let isBeingPaid: Bool
    let renews: Bool
    let method: String?
    let methodText: String?
    let card: String?
    /// Whether the market gives work to subscribed providers only.
    let isRequired: Bool
    /// Where the owner must confirm first.
    let nextAction: NextActionView?
    /// The plan of the last paid period, or of the first one while it is being paid.
    let plan: Plan?

    init(
        _ subscription: Subscription, _ period: SubscriptionPeriod?, isRequired: Bool, language: Language,
        action: String? = nil
    ) {
        plan = period.map { Plan($0, language: language) }
        market = subscription.market
        state = subscription.state.rawValue
        stateText = subscription.state.name.text(in: language.rawValue)
        endsAt = subscription.endsAt
        isBeingPaid = subscription.pending != nil
        let said = subscription.said
        renews = said.renews
        method = said.renews ? said.method.rawValue : nil
        methodText = said.renews ? said.method.name.text(in: language.rawValue) : nil
        card = said.renews ? said.card?.text : nil
        self.isRequired = isRequired
        nextAction = action.map { NextActionView(url: $0) }
    }
}

struct PlanView: ResponseEncodable, Sendable {
    let plan: String
    let period: String
    let periodText: String
    let days: Int
    /// In the caller's language.
    let name: String
    let brief: String
    let names: [String: String]
    let briefs: [String: String]
    let price: AmountView
    let endedAt: Date?

    init(_ plan: SubscriptionPlan, language: Language) {
        self.plan = plan.id.text
        period = plan.period.rawValue
        periodText = plan.period.name.text(in: language.rawValue)
        days = plan.period.days
        name = LocalizedText(plan.name).text(in: language.rawValue)
        brief = LocalizedText(plan.brief).text(in: language.rawValue)
        names = plan.name
        briefs = plan.brief
        price = AmountView(amount: plan.price, currency: plan.currency)
        endedAt = plan.endedAt
    }
}

extension PlanChange: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .ended: Problem.invalidFields([FieldProblem(JSONPointer.root.appending("plan"), "no-such-plan")])
        case .price(let plan):
            Problem(
                "plan-price-changed", status: .conflict,
                extensions: ["price": .integer(Int64(plan.price)), "currency": .string(plan.currency)])
        case .period(let plan):
            Problem(
                "plan-period-changed", status: .conflict, extensions: ["period": .string(plan.period.rawValue)])
        }
    }
}

extension Subscription.Refusal {
    /// - Parameter settings: the market's settings, whose time zone decides the shown day.
    func problem(by settings: MarketSettings) -> Problem {
        switch self {
        case .alreadyActive(let until):
            Problem(
                "already-subscribed", status: .conflict, arguments: ["until": settings.day(of: until)],
                extensions: ["endsAt": .string(Timestamp.text(until))])
        case .beingPaid: Problem("subscription-being-paid", status: .conflict, headers: [.retryAfter: "2"])
        }
    }
}
