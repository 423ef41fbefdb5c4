import Contracts
import Foundation

/// An amount that the payment provider does not accept, however often it is asked, or a top-up that this service does
/// not.
struct AmountOutOfBounds: Error, Hashable {
    enum Matter: Hashable, Sendable {
        /// An order or subscription; the wallet can pay it instead.
        case payment
        case topUp, cashOut
        /// A refund to the charged card.
        case refund
    }

    /// The refusal reason in events and renewals, where no bounds can be given.
    static let reason = "amount-out-of-bounds"

    let matter: Matter
    let bounds: ProviderBounds
    let currency: String

    /// Returns nil for an acceptable amount.
    ///
    /// - Parameter amount: minor units.
    init?(_ amount: Int, _ currency: String, _ matter: Matter) {
        // For an unknown currency the payment provider decides.
        guard let known = Currency.named(currency) else { return nil }
        bounds =
            switch matter {
            case .payment: .charges(in: known)
            case .topUp: ProviderBounds.charges(in: known).within(BeginTopUp.amounts)
            case .cashOut: .payouts(in: known)
            case .refund: .refunds(in: known)
            }
        guard !bounds.allows(amount) else { return nil }
        self.matter = matter
        self.currency = currency
    }

    /// - Throws: ``AmountOutOfBounds`` for an amount outside of the bounds.
    static func refuse(_ amount: Int, _ currency: String, _ matter: Matter) throws(AmountOutOfBounds) {
        if let refusal = AmountOutOfBounds(amount, currency, matter) { throw refusal }
    }
}
