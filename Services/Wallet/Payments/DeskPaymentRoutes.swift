import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Serves the desk: an admin takes an order's price in cash, or charges a customer who has agreed on the phone.
struct DeskPaymentRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/payments/{order}/cash", use: takeCash)
        group.post("markets/{market}/payments/{order}/charge", use: charge)
    }

    @Sendable private func takeCash(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let order = try context.uuid("order")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let amount = form.integer("amount", in: 1...1_000_000_000)
        guard let amount, form.isValid else { throw form.problem }
        let (admin, settings) = (context.caller.accountID, parts.settings(of: market))
        return try await parts.idempotency.answer(once) { transaction in
            let now = parts.clock()
            let payment = try await TakeDeskCash.take(
                amount, for: order, in: market, settings,
                limit: { parts.amount(\.secondApprovalAmount, in: $0, of: market) }, by: admin, at: now,
                in: transaction)
            guard let payment else { throw Problem.notFound }
            return try .json(
                .created, MarketPaymentView(payment, at: now, context.language),
                at: "/wallet/v1/markets/\(market.id)/payments/\(order.text)")
        }
    }

    @Sendable private func charge(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        guard market.hasDesk else { throw Problem.notFound }
        let order = try context.uuid("order")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let method = form.choice("method", of: ChargedAtDesk.self)
        let card = form.uuid("card", required: false)
        if card != nil, method == .wallet { form.reject("card", "only-with-card") }
        guard let method, form.isValid else { throw form.problem }
        let admin = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            let now = parts.clock()
            let payment = try await ChargeAtDesk.begin(
                order, in: market, by: method == .card ? .card : .wallet, card, admin: admin, at: now, in: transaction)
            guard let payment else { throw Problem.notFound }
            return try .json(
                .accepted, MarketPaymentView(payment, at: now, context.language),
                at: "/wallet/v1/markets/\(market.id)/payments/\(order.text)")
        }
    }
}

private enum ChargedAtDesk: String, Sendable, CaseIterable { case card, wallet }

extension TakeDeskCash.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notTaken: Problem("desk-takes-no-cash", status: .conflict)
        case .notThePrice(let price, let currency):
            .invalidFields([
                FieldProblem("amount", "not-the-price", ["price": AmountOutOfBounds.text(price, currency)])
            ])
        case .limit(let left, let currency):
            Problem(
                "desk-cash-limit", status: .conflict, arguments: ["left": AmountOutOfBounds.text(left, currency)],
                extensions: ["left": .integer(Int64(left)), "currency": .string(currency)])
        }
    }
}

extension ChargeAtDesk.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .noSuchCard: .invalidFields([FieldProblem("card", "no-such-card")])
        case .notReleased: .invalidFields([FieldProblem("card", "card-not-consented")])
        }
    }
}
