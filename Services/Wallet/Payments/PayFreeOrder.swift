import Contracts
import Foundation
import Messaging
import Postgres

/// Pays a due order that costs nothing with a hold of zero from the wallet, without a request by the customer. A
/// customer who is blocked for a fine must pay the fine first.
enum PayFreeOrder {
    /// - Parameter payment: locked by this transaction; ignored unless it is due and its amount is zero.
    static func begin(_ payment: Payment, at: Date, in transaction: PostgresTransaction) async throws {
        guard payment.state == .due, payment.amount == 0 else { return }
        let block = FindBlock(account: payment.customer, market: payment.market)
        guard try await transaction.first(block) == nil else { return }
        var paid = payment
        // try?: a payment that is refused here is past its deadline, and the order's end will follow.
        guard let effects = try? paid.pay(by: .wallet, at: at) else { return }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: paid)
    }
}
