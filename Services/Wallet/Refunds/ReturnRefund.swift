import Contracts
import Foundation
import Messaging
import Postgres

/// A refund that failed at the payment provider goes to its customer's wallet.
enum ReturnRefund {
    /// Once for each charge, however often it is told.
    ///
    /// - Parameters:
    ///   - failed: of a charge that this transaction has locked, and that is given back as far as is known here.
    ///   - isOwnerGone: its account was deleted. What comes back lies in a wallet that nobody has, which
    ///     `wallet verify` lists, and nobody has a statement.
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
