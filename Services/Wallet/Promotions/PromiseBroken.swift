import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit

/// The code with which an order was quoted gives less than its customer was told, or nothing: others have had its last use, or
/// it has ended. Nobody pays more than was said without a word, so nothing is paid, and the order ends.
struct PromiseBroken: Error, Hashable {
    let order: UUID

    /// Tells that nothing will be held, by which dispatch ends the order.
    ///
    /// - Parameter method: by which it was to be paid.
    static func tell(
        order: UUID, customer: UUID, by method: PaymentMethod, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return
        }
        // Nothing follows when it was paid, or has ended, in between.
        let effects = payment.refuseCharge(by: method, reason: PaymentRefused.promoCodeLost)
        guard !effects.isEmpty else { return }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
    }
}

extension PromiseBroken: ProblemConvertible {
    var problem: Problem { Problem("promo-code-lost", status: .conflict) }
}
