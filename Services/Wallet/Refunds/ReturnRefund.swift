import Contracts
import Foundation
import Messaging
import Postgres

/// Credits a refund that failed at the payment provider to its customer's wallet.
enum ReturnRefund {
    /// Credits the amount once per charge, however often the failure is reported.
    ///
    /// - Parameters:
    ///   - failed: the refund of a charge that is locked and counts as refunded.
    ///   - isOwnerGone: whether the owner's account was deleted. The money then lies in a wallet without an owner,
    ///     which `wallet verify` lists, and no statement line is written.
    static func give(
        _ failed: RefundReturn, isOwnerGone: Bool, at: Date, in transaction: PostgresTransaction
    ) throws {
        Ledger.enqueue(Transfers.returnRefund(failed, id: .timeOrdered()), in: transaction)
        guard !isOwnerGone else { return }
        try transaction.publish(
            RefundReturned(
                charge: failed.charge, account: failed.account, market: failed.market, order: failed.order,
                amount: Money(amount: failed.amount, currency: failed.currency), at: at))
        if let refund = failed.refund {
            transaction.send(
                AcceptRefundLine(account: failed.account, source: Refund.source(refund), method: .wallet, at: at))
        } else {
            let platform = PlatformName.of(failed.market)
            let line = failed.statementLine(platformName: platform)
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
    }
}
