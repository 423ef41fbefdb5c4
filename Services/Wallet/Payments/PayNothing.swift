import Contracts
import Foundation
import Messaging
import Postgres

/// An order that costs nothing needs nobody's word to be paid: zero is held from the wallet as soon as it is due, and the order
/// goes on. Not for somebody who is blocked for a fine, who pays that first.
enum PayNothing {
    /// - Parameter payment: locked by this transaction; nothing happens unless it is due, and nothing.
    static func begin(_ payment: Payment, at: Date, in transaction: PostgresTransaction) async throws {
        guard payment.state == .due, payment.amount == 0 else { return }
        let block = FindBlock(account: payment.customer, market: payment.market)
        guard try await transaction.first(block) == nil else { return }
        var paid = payment
        // try?: what cannot be paid now is past its time, and its end is on its way.
        guard let effects = try? paid.pay(by: .wallet, at: at) else { return }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: paid)
    }
}
