import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The customer pays for an order: from the wallet or by a promise of cash at once, by card through a charge that the
/// worker carries on with.
enum PayOrder {
    /// A card and the reference of the CVV that its owner has just given.
    struct CardInHand: Sendable {
        let card: StoredCard
        let cvvReference: String
    }

    /// - Parameters:
    ///   - customer: has to be the order's.
    ///   - cardInHand: with the method `card`.
    ///   - lifetime: how long the payment provider keeps an authorisation.
    /// - Returns: the payment after it; nil when the customer has no such order.
    /// - Throws: ``PaymentRefusal`` when it cannot be paid now; ``LedgerError``; ``AccountBlock``;
    ///   ``Problem/accountLeaving``.
    static func pay(
        order: UUID, customer: UUID, by method: PaymentMethod, with cardInHand: CardInHand?, lifetime: Duration,
        at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        try await LeavingAccounts.refuse(customer, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return nil
        }
        try await AccountBlock.refuse(customer, in: payment.market, transaction)
        let charge = cardInHand.map { hand in
            Charge(
                id: .timeOrdered(), purpose: .payment, subject: payment.id, amount: payment.amount,
                currency: payment.currency, card: hand.card.reference, cvvReference: hand.cvvReference, madeAt: at,
                captureAt: Charge.captureAt(madeAt: at, lifetimeSeconds: lifetime / .seconds(1)))
        }
        let effects = try payment.pay(by: method, charge: charge?.id, at: at)
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment, beginning: charge)
        return payment
    }
}
