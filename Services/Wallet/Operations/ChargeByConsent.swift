import Foundation
import Messaging
import Postgres

/// Pays for an order whose customer is not there, such as a recurring visit: from the stored card that its owner agreed to
/// have charged. Without one, or when it is refused, the order stays due and its customer is told.
enum ChargeByConsent {
    /// - Parameter payment: locked by this transaction; nothing happens unless it is due.
    ///
    /// An account that is being deleted is not looked for here: dispatch refuses the deletion while such an order is
    /// open, and an account that is gone has no cards.
    static func begin(
        _ payment: Payment, lifetime: Duration, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard payment.state == .due, payment.amount > 0 else { return }
        let month = CardExpiry.monthNumber(at: at)
        guard let card = try await transaction.first(FindConsentedCard(account: payment.customer, month: month)),
            let instrument = Instrument(byConsentOf: card)
        else { return }
        let charge = Charge(
            id: .timeOrdered(), purpose: .payment, subject: payment.id, amount: payment.amount,
            currency: payment.currency, with: instrument, madeAt: at,
            captureAt: Charge.captureAt(madeAt: at, lifetimeSeconds: lifetime / .seconds(1)))
        var paid = payment
        // try?: what cannot be paid now is past its time, and its end is on its way.
        guard let effects = try? paid.pay(by: .card, charge: charge.id, at: at) else { return }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: paid, beginning: charge)
    }
}
