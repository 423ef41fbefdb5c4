import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Serves an order's payment to the order's customer; anybody else gets 404.
struct PaymentRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("orders/{order}/payment", use: pay)
        group.get("orders/{order}/payment") { _, context in
            let payment = try await payment(of: try context.uuid("order"), context)
            return PaymentView(payment, context.language, action: try await action(of: payment))
        }
        group.delete("orders/{order}/payment") { _, context in
            let (order, customer) = (try context.uuid("order"), context.caller.accountID)
            let abandoned = try await parts.pool.withTransaction { transaction in
                try await PayOrder.abandon(order: order, customer: customer, at: parts.clock(), in: transaction)
            }
            guard let abandoned else { throw Problem.notFound }
            return PaymentView(abandoned, context.language)
        }
    }

    @Sendable private func pay(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let order = try context.uuid("order")
        let once = try await IdempotentRequest(
            request, context: context, secretFields: InstrumentForm.secretFields)
        let form = try await once.request.form(context: context)
        let method = form.choice("method", of: PaymentMethod.self)
        let chosen = method.flatMap { InstrumentForm($0, form) }
        let typed = form.string("promoCode", length: 1...100, required: false)
        guard let method, form.isValid else { throw form.problem }

        do {
            return try await answer(once, order, by: method, chosen, typed, form, context)
        } catch let broken as PromisedDiscountLost {
            // The attempt was rolled back. If the process dies before this, the order stays payable and the next
            // attempt is refused again.
            let customer = context.caller.accountID
            try await parts.pool.withTransaction { transaction in
                try await PromisedDiscountLost.tell(
                    order: order, customer: customer, by: method, at: parts.clock(), in: transaction)
            }
            throw broken
        }
    }

    /// - Throws: ``PromisedDiscountLost``, with nothing done; and the errors of ``PayOrder``.
    private func answer(
        _ once: IdempotentRequest, _ order: UUID, by method: PaymentMethod, _ chosen: InstrumentForm?,
        _ typed: String?, _ form: Form, _ context: AuthenticatedContext
    ) async throws -> Response {
        let found = try await payment(of: order, context)
        let allowed = parts.methods(for: found)
        return try await parts.idempotency.answer(once) { () async throws -> (Instrument?, String?) in
            // A first check, before the card is asked about; the decision is made in the transaction below.
            if !found.isHeldFree, let refusal = PaymentRefusal(found, at: parts.clock()) { throw refusal }
            guard allowed.contains(method.rawValue) else {
                form.reject("method", "not-a-choice", ["choices": allowed.joined(separator: ", ")])
                throw form.problem
            }
            let account = context.caller.accountID
            var code: String?
            if let typed { code = try await PromoCodeField.admit(typed, by: account, parts.pool) }
            return (try await chosen?.take(of: account, parts), code)
        } _: { transaction, prepared in
            let (instrument, code) = prepared
            let paid = try await PayOrder.pay(
                order: order, customer: context.caller.accountID, by: method, with: instrument, promoCode: code,
                lifetime: parts.authorisationLifetime, at: parts.clock(), in: transaction)
            guard let paid else { throw Problem.notFound }
            return try .json(
                .accepted, PaymentView(paid, context.language), at: "/wallet/v1/orders/\(order.text)/payment")
        }
    }

    /// The address where the customer confirms. Shown to the customer alone: anybody who knows it could answer.
    private func action(of payment: Payment) async throws -> String? {
        guard payment.state == .authorising else { return nil }
        return try await parts.pool.first(FindAction(subject: payment.id))
    }

    private func payment(of order: UUID, _ context: AuthenticatedContext) async throws -> Payment {
        guard let payment = try await parts.pool.first(FindPayment(order: order)),
            context.caller.isAccount(payment.customer)
        else { throw Problem.notFound }
        return payment
    }
}

struct PaymentView: ResponseEncodable, Sendable {
    let payment: String
    let order: String
    let market: String
    let state: String
    /// The state, the method and the refusal in the caller's language.
    let stateText: String?
    let method: String?
    let methodText: String?
    let amount: AmountView
    /// The part that a promo code takes off.
    let discount: AmountView?
    /// Why the last attempt by card failed, or how the held money was lost.
    let refusal: String?
    let refusalText: String?
    let version: Int
    /// The captured amount; nil before the capture.
    let paid: AmountView?
    let tip: AmountView?
    /// The refunded part of price and tip.
    let refunded: AmountView?
    /// The address where the customer must confirm first.
    let nextAction: NextActionView?

    init(_ payment: Payment, _ language: Language, action: String? = nil) {
        let language = language.rawValue
        self.payment = payment.id.text
        order = payment.order.text
        market = payment.market
        state = payment.shownState.rawValue
        stateText = payment.shownState.name?.text(in: language)
        method = payment.method?.rawValue
        methodText = payment.method.map { $0.name.text(in: language) }
        amount = AmountView(amount: payment.amount, currency: payment.currency)
        discount = payment.promotion.map { _ in AmountView(amount: payment.discount, currency: payment.currency) }
        refusal = payment.refusal
        refusalText = StatementWords.text(of: payment.refusal, in: language)
        version = payment.version
        func view(_ amount: Int) -> AmountView { AmountView(amount: amount, currency: payment.currency) }
        paid = payment.state == .captured ? view(payment.customerPart) : nil
        tip = payment.tipped > 0 ? view(payment.tipped) : nil
        refunded = payment.refunded > 0 ? view(payment.refunded) : nil
        nextAction = action.map { NextActionView(url: $0) }
    }
}
