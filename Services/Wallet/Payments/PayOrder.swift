import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Pays for an order at the customer's request: at once from the wallet or by a promise of cash, otherwise through a
/// charge that the worker continues.
enum PayOrder {
    /// - Parameters:
    ///   - customer: must be the order's customer.
    ///   - instrument: set for a method that the payment provider charges.
    ///   - code: a normalized promo code; nil uses the code that the order was quoted with.
    ///   - lifetime: how long the payment provider keeps an authorisation.
    /// - Returns: the payment afterwards; nil when the customer has no such order.
    /// - Throws: ``PaymentRefusal`` when it cannot be paid now; ``PromoCode/NotUsable``; ``PromisedDiscountLost``;
    ///   ``AmountOutOfBounds``; ``WalletFreeze``; ``LedgerError``; ``AccountBlock``; ``Problem/accountLeaving``; a 422
    ///   ``Problem`` when the card was removed meanwhile, a 429 ``Problem`` after too many refused cards.
    static func pay(
        order: UUID, customer: UUID, by method: PaymentMethod, with instrument: Instrument?,
        promoCode code: String? = nil, lifetime: Duration, at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        try await AccountDeletionGuard.refuse(customer, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)), payment.customer == customer else {
            return nil
        }
        try await AccountBlock.refuse(customer, in: payment.market, transaction)
        // An order that costs nothing is paid when it becomes due. A phone that does not know that yet is told so.
        if payment.isHeldFree { return payment }
        if let refusal = PaymentRefusal(payment, at: at) { throw refusal }
        try await CardRemovalGuard.keep(instrument, of: customer, in: transaction)
        let promotion = try await UsePromoCode.use(
            typed: code, for: payment, by: method, at: at, in: transaction)
        let due = payment.amount - (promotion?.discount ?? 0)
        // With nothing left to pay, no card is charged.
        let isFree = promotion != nil && due == 0
        if !isFree {
            if method == .wallet { try await WalletFreeze.refuse(customer, in: transaction) }
            // A zero amount is not charged, so it has no bounds.
            if instrument != nil, due > 0 { try AmountOutOfBounds.refuse(due, payment.currency, .payment) }
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

    /// Gives up the customer's attempt while the payment provider is still asked, or while it waits for the customer's
    /// confirmation. Whatever the payment provider did is undone.
    ///
    /// - Returns: the payment afterwards; nil when the customer has no such order.
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
