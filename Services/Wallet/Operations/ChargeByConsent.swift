import Contracts
import Foundation
import Messaging
import Postgres

/// Pays for an order whose customer is not there, such as a recurring visit: from the stored card that its owner agreed to
/// have charged. Without one, or when it is refused, the order stays due and its customer is told. So it does when the
/// market takes no cards any more, or the customer is blocked there for a fine: as if the customer had asked.
enum ChargeByConsent {
    /// - Parameters:
    ///   - payment: locked by this transaction; nothing happens unless it is due.
    ///   - settings: the market's; nil for one that this program does not know, where no card is taken.
    ///
    /// An account that is being deleted is not looked for here: dispatch refuses the deletion while such an order is
    /// open, and an account that is gone has no cards.
    static func begin(
        _ payment: Payment, _ settings: MarketSettings?, lifetime: Duration, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        // Nor is anybody charged the whole price who was promised a part of it: that is used when the customer pays.
        guard payment.state == .due, payment.amount > 0, payment.terms.promised == nil else { return }
        var paid = payment
        let effects = PaymentEffects(transaction: transaction, at: at)
        if let reason = try await obstacle(payment, settings, in: transaction) {
            return try await effects.perform(paid.refuseCharge(by: .card, reason: reason), of: paid)
        }
        let month = CardExpiry.monthNumber(at: at)
        guard let card = try await transaction.first(FindConsentedCard(account: payment.customer, month: month)),
            let instrument = Instrument(byConsentOf: card)
        else { return }
        let charge = Charge(
            id: .timeOrdered(), purpose: .payment, subject: payment.id, amount: payment.amount,
            currency: payment.currency, with: instrument, madeAt: at,
            captureAt: Charge.captureAt(madeAt: at, lifetimeSeconds: lifetime / .seconds(1)))
        // try?: what cannot be paid now is past its time, and its end is on its way.
        guard let beginning = try? paid.pay(by: .card, charge: charge.id, at: at) else { return }
        try await effects.perform(beginning, of: paid, beginning: charge)
    }

    /// - Returns: why no card may be charged for it, as the customer is told.
    private static func obstacle(
        _ payment: Payment, _ settings: MarketSettings?, in transaction: PostgresTransaction
    ) async throws -> String? {
        guard settings?.paymentMethods.contains(PaymentMethod.card.rawValue) == true else {
            return "method-not-allowed"
        }
        if OutOfBounds(payment.amount, payment.currency, .payment) != nil { return OutOfBounds.reason }
        let block = FindBlock(account: payment.customer, market: payment.market)
        return try await transaction.first(block) == nil ? nil : "account-blocked"
    }
}
