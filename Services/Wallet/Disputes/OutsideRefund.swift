import Foundation
import Messaging
import Postgres

/// Takes from a wallet what the payment provider's dashboard gave back while a refund of this service was under way.
enum OutsideRefund {
    /// While the own refund had no answer, the reported sum was taken for it. Once that refund is refused, the sum is
    /// compared again: the part which no refund of this service explains was made in the dashboard, and the owner has it
    /// on the card. The wallet, which just got the refused refund's amount, gives so much back; anything above that
    /// amount is decided like any refund in the dashboard.
    ///
    /// - Parameters:
    ///   - failed: the refused refund, enqueued for the wallet before.
    ///   - charge: the charge that was given back, locked.
    static func take(
        insteadOf failed: RefundReturn, of charge: Charge, _ charged: ApplyDispute.Charged, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let intent = charge.reference else { return }
        let (told, asked, before) = try await transaction.queryAll(
            FindReportedRefund(charge: charge.id), SumRefundsAsked(reference: intent, besides: failed.charge),
            SumOutsideRefunds(charge: charge.id))
        let outside = (told.first ?? 0) - (asked.first ?? 0) - (before.first ?? 0)
        guard outside > 0 else { return }
        let own = min(outside, failed.amount)
        let name = "\(intent):\(told.first ?? 0)"
        let parts = [("\(name):\(failed.charge.text)", own, true), (name, outside - own, false)]
        for (reference, amount, isCovered) in parts where amount > 0 {
            let word = ApplyDispute.Word(
                reference: reference, kind: .refund, state: .made, amount: amount, reason: nil, isCovered: isCovered)
            _ = try await ApplyDispute.hear(word, of: charge, charged, at: at, in: transaction)
        }
    }
}
