import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Serves top-ups of the caller, who must be a customer or provider of the market.
struct TopUpRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("topups", use: begin)
        group.post("topups/{topUp}/return", use: giveBack)
        group.get("topups/{topUp}") { _, context in
            let id = try context.uuid("topUp")
            guard let topUp = try await parts.pool.first(FindTopUp(topUp: id, account: context.caller.accountID)) else {
                throw Problem.notFound
            }
            let isOpen = topUp.state == .waiting && topUp.method.isCharged
            let action = isOpen ? try await parts.pool.first(FindAction(subject: topUp.id)) : nil
            return TopUpView(topUp, context.language, action: action)
        }
    }

    @Sendable private func giveBack(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("topUp")
        let once = try await IdempotentRequest(request, context: context)
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            let returned = try await ReturnTopUp.begin(
                id, of: account, CardHolds(parts.markets), at: parts.clock(), in: transaction)
            guard let returned else { throw Problem.notFound }
            return try .json(
                .accepted, TopUpView(returned.topUp, context.language, returned: returned.amount),
                at: "/wallet/v1/topups/\(returned.topUp.id.text)")
        }
    }

    @Sendable private func begin(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(
            request, context: context, secretFields: InstrumentForm.secretFields)
        let form = try await once.request.form(context: context)
        let market = form.string("market", length: 1...40).flatMap(Market.named)
        if market == nil { form.reject("market", "invalid-value") }
        let amount = form.integer("amount", in: Int.min...Int.max)
        if let amount, let market { try refuse(amount, in: market, form) }
        let method = method(form, market)
        let chosen = method.flatMap { InstrumentForm($0, form) }
        guard let market, let amount, let chosen, form.isValid else { throw form.problem }
        try context.caller.require(anyOf: ["customer", "provider"], in: market.id)
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) { () async throws -> (String, Instrument) in
            // Not computed for a repeat: the market's currency and the wallet may have changed.
            let currency = try await MarketForm.currency(form, of: market, for: account, topUp: amount, parts)
            return (currency, try await chosen.take(of: account, parts))
        } _: { transaction, prepared in
            let (currency, instrument) = prepared
            let limit = DailyLimit(
                parts.amount(\.dailyTopUpLimit, in: currency, of: market), currency, at: parts.clock())
            try await AccountDeletionGuard.refuse(account, in: transaction)
            let topUp = try await BeginTopUp.begin(
                amount: amount, currency: currency, market: market.id, account: account, with: instrument,
                limit: limit, at: parts.clock(), in: transaction)
            return try .json(
                .accepted, TopUpView(topUp, context.language), at: "/wallet/v1/topups/\(topUp.id.text)")
        }
    }

    /// Refuses an amount outside of the bounds, in the form of its currency; beside other wrong fields as one of them.
    private func refuse(_ amount: Int, in market: Market, _ form: Form) throws {
        let currency = MarketForm.named(form) ?? parts.settings(of: market).currency
        guard let refusal = AmountOutOfBounds(amount, currency, .topUp) else { return }
        if form.isValid { throw refusal }
        for field in refusal.fields { form.reject("amount", field.code, field.arguments) }
    }

    /// The chosen method, if the payment provider charges it and the market allows it; a card by default.
    private func method(_ form: Form, _ market: Market?) -> PaymentMethod? {
        let chosen = form.choice("method", of: PaymentMethod.self, required: false)
        guard form.isValid || chosen != nil, let market else { return chosen }
        let method = chosen ?? .card
        let allowed = (parts.markets.settings(of: market.id)?.paymentMethods ?? []).compactMap(PaymentMethod.init)
            .filter(\.isCharged)
        guard allowed.contains(method) else {
            form.reject("method", "not-a-choice", ["choices": allowed.map(\.rawValue).joined(separator: ", ")])
            return nil
        }
        return method
    }
}

struct TopUpView: ResponseEncodable, Sendable {
    let topUp: String
    let state: String
    /// The state, the reason and the method in the caller's language.
    let stateText: String
    /// Why the top-up was refused.
    let reason: String?
    let reasonText: String?
    let amount: AmountView
    let method: String
    let methodText: String
    /// Where the owner must confirm first.
    let nextAction: NextActionView?
    /// The amount that goes back to the card; set in the answer to a return.
    let returned: AmountView?

    init(_ topUp: TopUp, _ language: Language, action: String? = nil, returned: Int? = nil) {
        let language = language.rawValue
        self.topUp = topUp.id.text
        state = topUp.state.rawValue
        stateText = topUp.state.name.text(in: language)
        reason = topUp.reason
        reasonText = StatementWords.text(of: topUp.reason, in: language)
        amount = AmountView(amount: topUp.amount, currency: topUp.currency)
        method = topUp.method.rawValue
        methodText = topUp.method.name.text(in: language)
        nextAction = action.map { NextActionView(url: $0) }
        self.returned = returned.map { AmountView(amount: $0, currency: topUp.currency) }
    }
}
