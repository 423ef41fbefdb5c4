import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Money into the caller's wallet. By customers and providers of the market.
struct TopUpRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("topups", use: begin)
        group.get("topups/:topUp") { _, context in
            let id = try context.uuid("topUp")
            guard let topUp = try await parts.pool.first(FindTopUp(topUp: id, account: context.caller.accountID)) else {
                throw Problem.notFound
            }
            return TopUpView(topUp)
        }
    }

    @Sendable private func begin(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let market = form.string("market", length: 1...40).flatMap(Market.named)
        if market == nil { form.reject("market", "invalid-value") }
        let amount = form.integer("amount", in: BeginTopUp.amounts)
        let card = form.uuid("card")
        let cvv = CardForm.cvv(form)
        guard let market, let amount, let card, let cvv, form.isValid else { throw form.problem }
        try context.caller.require(anyOf: ["customer", "provider"], in: market.id)
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) {
            try await CardInHand.take(card, of: account, cvv: cvv, parts)
        } _: { transaction, hand in
            try await LeavingAccounts.refuse(account, in: transaction)
            let topUp = BeginTopUp.begin(
                amount: amount, currency: market.currency, market: market.id, account: account, with: hand, at: Date(),
                in: transaction)
            return try .json(.accepted, TopUpView(topUp))
        }
    }
}

struct TopUpView: ResponseEncodable, Sendable {
    let topUp: String
    let state: String
    /// Why, when it was refused.
    let reason: String?
    let amount: AmountView

    init(_ topUp: TopUp) {
        self.topUp = topUp.id.text
        state = topUp.state.rawValue
        reason = topUp.reason
        amount = AmountView(amount: topUp.amount, currency: topUp.currency)
    }
}
