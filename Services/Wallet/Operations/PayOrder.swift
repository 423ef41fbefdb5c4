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
    ///   - code: a promo code, normalized.
    ///   - lifetime: how long the payment provider keeps an authorisation.
    /// - Returns: the payment after it; nil when the customer has no such order.
    /// - Throws: ``PaymentRefusal`` when it cannot be paid now; ``PromoCode/NotUsable``; ``LedgerError``; ``Problem/accountLeaving``.
    static func pay(
        order: UUID, customer: UUID, by method: PaymentMethod, with cardInHand: CardInHand?,
        promoCode code: String? = nil,
        lifetime: Duration, at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        try await LeavingAccounts.refuse(customer, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return nil
        }
        if let refusal = PaymentRefusal(payment, at: at) { throw refusal }
        var promotion: AppliedPromotion?
        if let code { promotion = try await UsePromoCode.use(code, for: payment, at: at, in: transaction) }
        let due = payment.amount - (promotion?.discount ?? 0)
        // With nothing left to pay there is nothing to charge, and no cash to hand over.
        let isFree = promotion != nil && due == 0
        let charge = (isFree ? nil : cardInHand).map { hand in
            Charge(
                id: .timeOrdered(), purpose: .payment, subject: payment.id, amount: due,
                currency: payment.currency, card: hand.card.reference, cvvReference: hand.cvvReference, madeAt: at,
                captureAt: Charge.captureAt(madeAt: at, lifetimeSeconds: lifetime / .seconds(1)))
        }
        let effects = try payment.pay(by: isFree ? .wallet : method, charge: charge?.id, with: promotion, at: at)
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment, beginning: charge)
        return payment
    }
}
