import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Serves an order's refunds to the market's admins, who make them, and to its customer; anybody else gets 404.
struct RefundRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("orders/{order}/refunds", use: refund)
        group.get("orders/{order}/refunds") { _, context in
            let payment = try await payment(context)
            let isAdmin = context.caller.has("admin", in: payment.market)
            guard isAdmin || context.caller.isAccount(payment.customer) else { throw Problem.notFound }
            let refunds = try await parts.pool.query(ListRefunds(order: payment.order))
            return WholeList(items: refunds.map { RefundView($0, forAdmin: isAdmin, context.language) })
        }
    }

    @Sendable private func refund(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let found = try await payment(context)
        guard try context.caller.isAdmin(in: found.market) else { throw Problem.notFound }
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let amount = form.integer("amount", in: 1...1_000_000_000)
        let destination = form.choice("to", of: Refund.Destination.self)
        let funder = form.choice("fundedBy", of: PaymentRefunded.Funder.self)
        let account = form.uuid("funder", required: false)
        let mayOwe = form.bool("mayOwe", required: false) ?? false
        let reason = form.words("reason", length: 3...500, lines: true)
        guard let amount, let destination, let funder, let reason, form.isValid else { throw form.problem }
        let wish = RefundPayment.Wish(
            amount: amount, destination: destination, funder: Refund.Funder(funder), funderAccount: account,
            mayOwe: mayOwe, reason: reason)
        // For a market that no longer exists the threshold is zero: one admin alone may not spend the platform's money.
        let threshold =
            Market.named(found.market).map { parts.amount(\.secondApprovalAmount, in: found.currency, of: $0) } ?? 0
        return try await parts.idempotency.answer(once) { transaction in
            do {
                let refunded = try await BeginApproval.refund(
                    wish, of: found.order, by: context.caller.accountID, above: threshold, at: parts.clock(),
                    in: transaction)
                switch refunded {
                case nil: throw Problem.notFound
                case .made(let refund):
                    return try .json(
                        .created, RefundView(refund, forAdmin: true, context.language),
                        at: "/wallet/v1/orders/\(found.order.text)/refunds")
                case .waits(let approval): return try ApprovalView.waiting(approval)
                }
            } catch let error as LedgerError {
                throw error.asRefund
            }
        }
    }

    private func payment(_ context: AuthenticatedContext) async throws -> Payment {
        guard let payment = try await parts.pool.first(FindPayment(order: try context.uuid("order"))) else {
            throw Problem.notFound
        }
        return payment
    }
}

extension Refund.Funder {
    fileprivate init(_ funder: PaymentRefunded.Funder) {
        self =
            switch funder {
            case .platform: .platform
            case .provider: .provider
            case .merchant: .merchant
            }
    }
}

struct RefundView: Encodable, Sendable {
    let refund: String
    let order: String
    let amount: AmountView
    /// `wallet` or `card`.
    let to: String
    /// `asked` until the payment provider has answered.
    let state: String
    let stateText: String
    let at: Date
    // Set for admins only.
    let fundedBy: String?
    let funder: String?
    let reason: String?
    /// Nil for an admin's own words.
    let reasonText: String?
    let by: String?

    init(_ refund: Refund, forAdmin: Bool, _ language: Language) {
        self.refund = refund.id.text
        order = refund.order.text
        amount = AmountView(amount: refund.amount, currency: refund.currency)
        to = refund.destination.rawValue
        state = refund.state.rawValue
        stateText = refund.state.name.text(in: language.rawValue)
        at = refund.at
        fundedBy = forAdmin ? refund.funder.rawValue : nil
        funder = forAdmin ? refund.funderAccount?.text : nil
        reason = forAdmin ? refund.reason : nil
        reasonText = forAdmin ? StatementWords.text(of: refund.reason, in: language.rawValue) : nil
        by = forAdmin ? refund.by?.text : nil
    }
}
