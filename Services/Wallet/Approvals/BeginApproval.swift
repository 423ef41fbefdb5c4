import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Stores and publishes acts that need a second admin.
enum BeginApproval {
    /// A refund that was made, or that waits because it takes the platform's money above the threshold.
    enum Refunded {
        case made(Refund)
        case waits(Approval)
    }

    /// - Parameter threshold: the market's `secondApprovalAmount`.
    /// - Returns: nil when there is no such order.
    /// - Throws: as ``RefundPayment``; a refund that is impossible now does not wait either.
    static func refund(
        _ wish: RefundPayment.Wish, of order: UUID, by admin: UUID, above threshold: Int, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> Refunded? {
        guard let known = try await transaction.first(FindPayment(order: order)) else { return nil }
        if wish.funder == .platform || wish.mayOwe {
            let since = at.addingTimeInterval(-SecondApprovalRule.windowSeconds)
            LockDaySum.send([known.customer, admin], in: transaction)
            let (sums, own, waiting) = try await transaction.queryAll(
                SumPlatformRefunds(customer: known.customer, currency: known.currency, since: since),
                SumDecidedAlone(admin: admin, currency: known.currency, since: since),
                SumWaitingRefunds(order: order, market: known.market))
            let earlier = max(sums.first ?? 0, own.first ?? 0)
            try await RefundPayment.check(
                wish, of: known, by: admin, besides: waiting.first ?? 0, in: transaction)
            // The platform advances a funder's debt until it is paid, and perhaps permanently.
            let part = try await RefundPayment.platformPart(of: wish, known, in: transaction)
            if part > 0, SecondApprovalRule.isNeeded(part, after: earlier, above: threshold) {
                return .waits(
                    try begin(
                        .refund, order, in: known.market, wish.amount, known.currency, .refund(wish), by: admin,
                        at: at, in: transaction))
            }
        }
        return try await RefundPayment.refund(wish, of: order, by: admin, at: at, in: transaction).map(Refunded.made)
    }

    /// Whether a promo code needs a second admin: always when it may take off more than half of a price, otherwise by its
    /// possible cost together with what the same admin decided alone within a day.
    static func isNeeded(
        for code: PromoCode, by admin: UUID, above threshold: Int, at: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        if code.takesMostOfPrice { return true }
        let since = at.addingTimeInterval(-SecondApprovalRule.windowSeconds)
        let (_, sums) = try await transaction.queryAll(
            LockDaySum(account: admin),
            SumDecidedAlone(admin: admin, currency: code.currency, since: since))
        return SecondApprovalRule.isNeeded(code.possibleCost, after: sums.first ?? 0, above: threshold)
    }

    /// Refuses a code when another one with the same name waits. The lock prevents concurrent ones until the
    /// transaction ends.
    ///
    /// - Throws: ``Problem/promoCodeWaits``.
    static func refuseWaiting(_ code: PromoCode, in transaction: PostgresTransaction) async throws {
        let (_, waiting) = try await transaction.queryAll(
            LockPromoCodeName(market: code.market, code: code.code),
            FindWaitingPromoCode(market: code.market, code: code.code))
        guard waiting.isEmpty else { throw Problem.promoCodeWaits }
    }

    static func begin(
        _ kind: Approval.Kind, _ subject: UUID, in market: String, _ amount: Int, _ currency: String,
        _ wish: ApprovalWish?, by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) throws -> Approval {
        let approval = Approval(
            id: .timeOrdered(), market: market, kind: kind, subject: subject, currency: currency, amount: amount,
            wish: wish, begunBy: admin, begunAt: at)
        transaction.send(InsertApproval(approval: approval))
        try tell(approval, by: admin, at: at, in: transaction)
        return approval
    }

    static func tell(
        _ approval: Approval, by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) throws {
        let kind: ApprovalChanged.Kind
        switch approval.kind {
        case .cashOut: kind = .cashOut
        case .refund: kind = .refund
        case .promoCode: kind = .promoCode
        case .writeOff: return try tellWriteOff(approval, by: admin, at: at, in: transaction)
        }
        let state: ApprovalChanged.State =
            switch approval.state {
            case .waiting: .waiting
            case .approved: .approved
            case .rejected: .rejected
            }
        try transaction.publish(
            ApprovalChanged(
                approval: approval.id, market: approval.market, kind: kind, state: state, subject: approval.subject,
                amount: Money(amount: approval.amount, currency: approval.currency), reason: approval.reason,
                by: admin, at: at))
    }

    /// A message of its own: older readers of ``ApprovalChanged`` cannot read another kind.
    private static func tellWriteOff(
        _ approval: Approval, by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) throws {
        guard case .writeOff(let wish)? = approval.wish else { return }
        let state: WriteOffChanged.State =
            switch approval.state {
            case .waiting: .waiting
            case .approved: .made
            case .rejected: .rejected
            }
        try transaction.publish(
            WriteOffChanged(
                writeOff: approval.id, market: approval.market, account: wish.account,
                amount: Money(amount: approval.amount, currency: approval.currency), state: state,
                reason: approval.reason ?? wish.reason, by: admin, at: at))
    }
}
