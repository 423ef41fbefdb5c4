import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit

/// The promo code of an order's quote gives less than promised, because its last use was taken or it has ended. The
/// customer must not pay more than promised, so nothing is paid and the order ends.
struct PromisedDiscountLost: Error, Hashable {
    let order: UUID

    /// Publishes that nothing will be held; dispatch then ends the order.
    ///
    /// - Parameter method: the method of the failed payment.
    static func tell(
        order: UUID, customer: UUID, by method: PaymentMethod, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return
        }
        // No effect when the order was paid or has ended in between.
        let effects = payment.refuseCharge(by: method, reason: PaymentRefused.promoCodeLost)
        guard !effects.isEmpty else { return }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
    }
}

extension PromisedDiscountLost: ProblemConvertible {
    var problem: Problem { Problem("promo-code-lost", status: .conflict) }
}
