public import Foundation

/// A payment of an order. Every `wallet.payment.*` event carries a whole one.
public struct PaymentSnapshot: Codable, Hashable, Sendable {
    public enum Method: String, Codable, Sendable, CaseIterable {
        case card, wallet, cash
        case applePay, googlePay, payPal
        /// Cash that the market's desk took: the platform's money from then on.
        case deskCash
    }

    public enum State: String, Codable, Sendable {
        /// The order waits to be paid; no method has been tried.
        case due
        /// The payment provider is being asked.
        case authorising
        /// The price is held, or cash is promised.
        case held
        case captured
        case released
    }

    public var payment: UUID
    public var order: UUID
    public var market: String
    /// Grows with each change of the payment.
    public var version: Int
    public var state: State
    public var method: Method?
    public var customer: UUID
    /// Nil while no provider has accepted the order, which may be paid before.
    public var provider: UUID?
    /// The held amount; once captured, the captured amount.
    public var amount: Money
    /// The platform's part of the amount, by a promo code; the customer pays the rest. Nil for none.
    public var discount: Money?
    /// The promo code of the discount. Nil for none, or in an older event.
    public var promoCode: UUID?

    public init(
        payment: UUID, order: UUID, market: String, version: Int, state: State, method: Method?, customer: UUID,
        provider: UUID?, amount: Money, discount: Money? = nil, promoCode: UUID? = nil
    ) {
        self.payment = payment
        self.order = order
        self.market = market
        self.version = version
        self.state = state
        self.method = method
        self.customer = customer
        self.provider = provider
        self.amount = amount
        self.discount = discount
        self.promoCode = promoCode
    }

    /// The customer's part of the amount.
    public var customerPart: Money { Money(amount: amount.amount - (discount?.amount ?? 0), currency: amount.currency) }
}
