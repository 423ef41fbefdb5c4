import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Accepts a tip for the provider of a completed order from the order's customer; anybody else gets 404.
struct TipRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("orders/{order}/tip") { request, context in
            let order = try context.uuid("order")
            let once = try await IdempotentRequest(request, context: context)
            let form = try await once.request.form(context: context)
            guard let amount = form.integer("amount", in: GiveTip.amounts), form.isValid else { throw form.problem }
            return try await parts.idempotency.answer(once) { transaction in
                let payment = try await GiveTip.give(
                    amount, for: order, by: context.caller.accountID, at: parts.clock(), in: transaction)
                guard let payment else { throw Problem.notFound }
                return try .json(
                    .created, PaymentView(payment, context.language), at: "/wallet/v1/orders/\(order.text)/payment")
            }
        }
    }
}
