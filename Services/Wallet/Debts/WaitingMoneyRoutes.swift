import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Lets a receiver give up money that waits for its debtors.
struct WaitingMoneyRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("waiting-money/waiver", use: giveUp)
    }

    @Sendable private func giveUp(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let amount = form.integer("amount", in: 1...GiveUpWaiting.maximum)
        let currency = MarketForm.named(form)
        if currency == nil { form.reject("currency", "required") }
        guard let amount, let currency, form.isValid else { throw form.problem }
        let account = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            let given = try await GiveUpWaiting.giveUp(
                amount, currency, of: account, at: parts.clock(), in: transaction)
            return try .json(.ok, WaiverView(givenUp: AmountView(amount: given, currency: currency)))
        }
    }
}

private struct WaiverView: Encodable, Sendable {
    let givenUp: AmountView
}

extension GiveUpWaiting.Changed: ProblemConvertible {
    var problem: Problem {
        Problem(
            "waiting-money-changed", status: .conflict,
            arguments: ["amount": Money(amount: waiting, currency: currency).decimal, "currency": currency],
            extensions: ["waiting": .integer(Int64(waiting)), "currency": .string(currency)])
    }
}
