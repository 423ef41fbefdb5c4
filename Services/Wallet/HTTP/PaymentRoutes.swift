import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// The payment of an order. By the order's customer; to everybody else there is no such order.
struct PaymentRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("orders/:order/payment", use: pay)
        group.get("orders/:order/payment") { _, context in
            PaymentView(try await payment(of: try context.uuid("order"), context))
        }
    }

    @Sendable private func pay(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let order = try context.uuid("order")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let method = form.choice("method", of: PaymentMethod.self)
        let card = form.uuid("card", required: method == .card)
        let cvv = method == .card ? CardForm.cvv(form) : nil
        let typed = form.string("promoCode", length: 1...100, required: false)
        guard let method, form.isValid else { throw form.problem }

        let found = try await payment(of: order, context)
        let allowed = parts.markets.settings(of: found.market)?.paymentMethods ?? []
        return try await parts.idempotency.answer(once) { () async throws -> (PayOrder.CardInHand?, String?) in
            // Looked at before the card is: what cannot be paid needs no card. Decided is it below.
            if let refusal = PaymentRefusal(found, at: Date()) { throw refusal }
            guard allowed.contains(method.rawValue) else {
                form.reject("method", "not-a-choice", ["choices": allowed.joined(separator: ", ")])
                throw form.problem
            }
            let account = context.caller.accountID
            var code: String?
            if let typed { code = try await PromoCodeField.admit(typed, by: account, parts.pool) }
            guard let card, let cvv else { return (nil, code) }
            return (try await CardInHand.take(card, of: account, cvv: cvv, parts), code)
        } _: { transaction, prepared in
            let (hand, code) = prepared
            let paid = try await PayOrder.pay(
                order: order, customer: context.caller.accountID, by: method, with: hand,
                promoCode: code, lifetime: parts.authorisationLifetime, at: Date(), in: transaction)
            guard let paid else { throw Problem.notFound }
            return try .json(.accepted, PaymentView(paid))
        }
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
    let method: String?
    let amount: AmountView
    /// What of it a promo code takes off.
    let discount: AmountView?
    /// Why the last attempt by card failed, or how what was held was lost.
    let refusal: String?
    let version: Int

    init(_ payment: Payment) {
        self.payment = payment.id.text
        order = payment.order.text
        market = payment.market
        state = payment.shownState.rawValue
        method = payment.method?.rawValue
        amount = AmountView(amount: payment.amount, currency: payment.currency)
        discount = payment.promotion.map { AmountView(amount: $0.discount, currency: payment.currency) }
        refusal = payment.refusal
        version = payment.version
    }
}
