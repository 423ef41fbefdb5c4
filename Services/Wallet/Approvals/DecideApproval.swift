import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Applies a second admin's decision: an approval carries out what the first admin began, a rejection ends it. The
/// first decision counts.
struct DecideApproval: Sendable {
    let currencies: MarketCurrencies
    /// The market's `secondApprovalAmount` in a currency.
    let threshold: @Sendable (String) -> Int

    /// - Parameters:
    ///   - market: the admin's market; approvals of other markets are not found.
    ///   - reason: the reason of a rejection; nil approves.
    /// - Throws: ``Approval/Refusal``; a 404 ``Problem``; the errors of the act itself. Nothing is decided then.
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
            // The second admin, too, must not be a party of the order.
            guard let payment = try await transaction.first(FindPayment(order: approval.subject)) else {
                throw Problem.notFound
            }
            try await RefundPayment.refuseParty(admin, of: payment, in: transaction)
            let refund = try await RefundPayment.refund(
                wish, of: approval.subject, by: approval.begunBy, at: at, in: transaction)
            guard refund != nil else { throw Problem.notFound }
        case .promoCode(let code):
            // A duplicate name is reported as a conflict: the approving admin entered no code that could be invalid.
            let taken = FindPromoCodeByText(market: code.market, code: code.code)
            guard try await transaction.first(taken) == nil else { throw Problem.promoCodeTaken }
            try await MakePromoCode.make(code, currencies, by: approval.begunBy, at: at, in: transaction)
        case .writeOff(let wish):
            try await WriteOffDebt.approved(wish, of: approval, by: admin, at: at, in: transaction)
        }
        return approval
    }

    /// The cash-out's row is locked before the approval, as in ``DecideCashOut``.
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
