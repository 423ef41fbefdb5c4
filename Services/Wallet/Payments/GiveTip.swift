import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Gives the provider of a completed order a tip from the customer's wallet. The provider gets all of it.
enum GiveTip {
    /// Minor units.
    static let amounts = 100...100_000

    /// - Returns: the payment afterwards; nil when the customer has no such order.
    /// - Throws: ``TipRefusal``; ``LedgerError``; ``AccountBlock``; ``WalletFreeze``; ``Problem/accountLeaving``.
    static func give(
        _ amount: Int, for order: UUID, by customer: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        guard let known = try await transaction.first(FindPayment(order: order)), known.customer == customer else {
            return nil
        }
        // Refused while either account is deleted or being deleted.
        let parties = [customer] + (known.provider.map { [$0] } ?? [])
        guard try await AccountDeletionGuard.deleted(among: parties, in: transaction).isEmpty else {
            throw Problem.accountLeaving
        }
        guard var payment = try await transaction.first(LockPayment(order: order)) else { return nil }
        try await AccountBlock.refuse(customer, in: payment.market, transaction)
        try await WalletFreeze.refuse(customer, in: transaction)
        let provider = try payment.tip(amount)
        transaction.send(UpdatePayment(payment: payment))
        transaction.send(InsertTip(payment: payment, provider: provider, at: at))
        for (account, amount) in [(customer, -amount), (provider, amount)] {
            let line = StatementLine(
                account: account, source: "tip:\(order.text)", kind: .tip, market: payment.market,
                currency: payment.currency, amount: amount, order: order, method: .wallet, title: payment.terms.title,
                payer: payment.customerName, beneficiary: payment.terms.providerName ?? "", state: .accepted,
                reason: nil)
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
        try transaction.publish(
            TipGiven(
                order: order, market: payment.market, customer: customer, provider: provider,
                amount: Money(amount: amount, currency: payment.currency), at: at))
        _ = try await Ledger.post(
            [Transfers.tip(amount, payment, to: provider, id: .timeOrdered())], in: transaction)
        try await PassCardMoney.tip(amount, payment, at: at, in: transaction)
        return payment
    }
}
