import Contracts
import Foundation

/// The payment provider does not take the amount, and would say so each time.
struct OutOfBounds: Error, Hashable {
    enum Matter: Hashable, Sendable {
        /// An order or a subscription, which the wallet may pay as well.
        case payment
        case topUp, cashOut
        /// To the card that was charged.
        case refund
    }

    /// The slug where nobody is there to be told more.
    static let reason = "amount-out-of-bounds"

    let matter: Matter
    let bounds: ProviderBounds
    let currency: String

    /// Nil for an amount that is taken.
    ///
    /// - Parameter amount: minor units.
    init?(_ amount: Int, _ currency: String, _ matter: Matter) {
        // Of a currency that is not known here the payment provider has the word.
        guard let known = Currency.named(currency) else { return nil }
        bounds =
            switch matter {
            case .payment, .topUp: .charges(in: known)
            case .cashOut: .payouts(in: known)
            case .refund: .refunds(in: known)
            }
        guard !bounds.allows(amount) else { return nil }
        self.matter = matter
        self.currency = currency
    }

    /// - Throws: itself.
    static func refuse(_ amount: Int, _ currency: String, _ matter: Matter) throws(OutOfBounds) {
        if let refusal = OutOfBounds(amount, currency, matter) { throw refusal }
    }
}
