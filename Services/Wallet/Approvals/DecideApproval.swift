import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// A second admin approves what a first one has begun, and it is done; or one rejects it. Of several decisions the first
/// counts.
struct DecideApproval: Sendable {
    let currencies: MarketCurrencies
    /// The market's `secondApprovalAmount`.
    let threshold: Int

    /// - Parameters:
    ///   - market: where the caller is an admin; what waits in another is not found.
    ///   - reason: why it is rejected; nil approves it.
    /// - Throws: ``Approval/Refusal``; a 404 ``Problem``; what the thing itself throws, and nothing is decided then.
    func callAsFunction(
        _ id: UUID, in market: String, rejecting reason: String?, by admin: UUID, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> Approval {
        guard let found = try await transaction.first(FindApproval(approval: id)), found.market == market else {
            throw Problem.notFound
        }
        if found.kind == .cashOut { return try await cashOut(found, reason, by: admin, at: at, in: transaction) }
        guard var approval = try await transaction.first(LockApproval(approval: id)) else { throw Problem.notFound }
        try approval.decide(rejecting: reason, by: admin, at: at)
        transaction.send(UpdateApproval(approval: approval))
        try BeginApproval.tell(approval, by: admin, at: at, in: transaction)
        guard approval.state == .approved, let wish = approval.wish else { return approval }
        switch wish {
        case .refund(let wish):
            // The second admin is no more a party of the order than the first.
            guard let payment = try await transaction.first(FindPayment(order: approval.subject)) else {
                throw Problem.notFound
            }
            try await RefundPayment.refuseParty(admin, of: payment, in: transaction)
            let refund = try await RefundPayment.refund(
                wish, of: approval.subject, by: approval.begunBy, at: at, in: transaction)
            guard refund != nil else { throw Problem.notFound }
        case .promoCode(let code):
            // Whoever approves has typed no code.
            let taken = FindPromoCodeByText(market: code.market, code: code.code)
            guard try await transaction.first(taken) == nil else { throw Problem.promoCodeTaken }
            try await MakePromoCode.make(code, currencies, by: approval.begunBy, at: at, in: transaction)
        }
        return approval
    }

    /// The cash-out's own row is locked first, as by who decides about that.
    private func cashOut(
        _ found: Approval, _ reason: String?, by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Approval {
        let decided = try await DecideCashOut.decide(
            found.subject, in: found.market, rejecting: reason, by: admin, above: threshold, approval: found.id, at: at,
            in: transaction)
        guard let approval = decided.approval else { throw Approval.Refusal.decided(found.state) }
        return approval
    }
}
