import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The customer pays for an order: from the wallet or by a promise of cash at once, otherwise through a charge that the
/// worker carries on with.
enum PayOrder {
    /// - Parameters:
    ///   - customer: has to be the order's.
    ///   - instrument: with a method that the payment provider takes.
    ///   - code: a promo code, normalized; nil uses the one that the order was quoted with.
    ///   - lifetime: how long the payment provider keeps an authorisation.
    /// - Returns: the payment after it; nil when the customer has no such order.
    /// - Throws: ``PaymentRefusal`` when it cannot be paid now; ``PromoCode/NotUsable``; ``PromiseBroken``;
    ///   ``OutOfBounds``; ``WalletFreeze``; ``LedgerError``; ``AccountBlock``; ``Problem/accountLeaving``; a 422 ``Problem`` when the card was removed meanwhile, a 429
    ///   one after too many refused cards.
    static func pay(
        order: UUID, customer: UUID, by method: PaymentMethod, with instrument: Instrument?,
        promoCode code: String? = nil, lifetime: Duration, at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        try await LeavingAccounts.refuse(customer, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return nil
        }
        try await AccountBlock.refuse(customer, in: payment.market, transaction)
        if let refusal = PaymentRefusal(payment, at: at) { throw refusal }
        try await CardToCharge.keep(instrument, of: customer, in: transaction)
        let promotion = try await UsePromoCode.use(
            typed: code, for: payment, by: method, at: at, in: transaction)
        let due = payment.amount - (promotion?.discount ?? 0)
        // With nothing left to pay there is nothing to charge.
        let isFree = promotion != nil && due == 0
        if !isFree {
            if method == .wallet { try await WalletFreeze.refuse(customer, in: transaction) }
            // What costs nothing is not charged.
            if instrument != nil, due > 0 { try OutOfBounds.refuse(due, payment.currency, .payment) }
        }
        let charge = (isFree ? nil : instrument).map { instrument in
            Charge(
                id: .timeOrdered(), purpose: .payment, subject: payment.id, amount: due,
                currency: payment.currency, with: instrument, madeAt: at,
                captureAt: Charge.captureAt(madeAt: at, lifetimeSeconds: lifetime / .seconds(1)))
        }
        let effects = try payment.pay(by: isFree ? .wallet : method, charge: charge?.id, with: promotion, at: at)
        try await CardAttempts.begin(charge, of: customer, in: transaction)
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment, beginning: charge)
        return payment
    }

    /// The customer does not go on with an attempt that the payment provider is still asked about, or that waits for the
    /// customer's own word. What it may have done is undone.
    ///
    /// - Returns: the payment after it; nil when the customer has no such order.
    /// - Throws: ``PaymentRefusal/payment(_:)`` when there is no attempt.
    static func abandon(
        order: UUID, customer: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return nil
        }
        guard let effects = payment.abandon() else { throw PaymentRefusal.payment(payment.shownState) }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        return payment
    }
}
