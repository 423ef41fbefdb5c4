import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Tells an order's customer what a promo code would give; anybody else gets 404.
struct PromotionRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("orders/{order}/promotion", use: quote)
    }

    @Sendable private func quote(_ request: Request, _ context: AuthenticatedContext) async throws -> PromotionView {
        let order = try context.uuid("order")
        guard let payment = try await parts.pool.first(FindPayment(order: order)),
            context.caller.isAccount(payment.customer)
        else { throw Problem.notFound }
        let code = try await PromoCodeField.admit(
            QueryForm(request)["code"] ?? "", by: context.caller.accountID, parts.pool)
        if let refusal = PaymentRefusal(payment, at: parts.clock()) { throw refusal }
        let methods = parts.methods(for: payment)
        let discount = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await UsePromoCode.quote(code, for: payment, payableBy: methods, at: parts.clock(), in: transaction)
        }
        return PromotionView(code: code, payment: payment, discount: discount)
    }
}

/// A promo code as a person enters it.
enum PromoCodeField {
    /// - Returns: the normalized code.
    /// - Throws: ``PromoCode/NotUsable`` for an impossible code; a 429 ``Problem`` after too many attempts.
    static func admit(_ text: String, by account: UUID, _ pool: PostgresPool) async throws -> String {
        guard try await UsePromoCode.mayTry(account, pool) else {
            throw Problem.tooManyRequests(retryAfterSeconds: Int(UsePromoCode.attemptWindowSeconds))
        }
        guard let code = PromoCode.normalized(text) else { throw PromoCode.NotUsable() }
        return code
    }
}

struct PromotionView: ResponseEncodable, Sendable {
    let code: String
    let price: AmountView
    let discount: AmountView
    let toPay: AmountView

    init(code: String, payment: Payment, discount: Int) {
        self.code = code
        price = AmountView(amount: payment.amount, currency: payment.currency)
        self.discount = AmountView(amount: discount, currency: payment.currency)
        toPay = AmountView(amount: payment.amount - discount, currency: payment.currency)
    }
}

extension PromoCode.NotUsable: ProblemConvertible {
    var problem: Problem { Problem("promo-code-not-usable", status: .unprocessableContent) }
}

extension PromoCode.Unfit: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .cash: Problem("promo-code-not-with-cash", status: .unprocessableContent)
        case .customerPriced: Problem("promo-code-not-for-own-price", status: .unprocessableContent)
        }
    }
}
