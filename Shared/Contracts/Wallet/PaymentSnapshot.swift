public import Foundation

/// A payment of an order. Every `wallet.payment.*` event carries one, whole.
public struct PaymentSnapshot: Codable, Hashable, Sendable {
    public enum Method: String, Codable, Sendable, CaseIterable {
        case card, wallet, cash
        case applePay, googlePay, payPal
    }

    public enum State: String, Codable, Sendable {
        /// The order waits to be paid; no method has been taken.
        case due
        /// The payment provider is being asked.
        case authorising
        /// The price is held, or cash has been promised.
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
    /// Nil while nobody has taken the order, which may be paid before.
    public var provider: UUID?
    /// What is held; once captured, what was taken of it.
    public var amount: Money
    /// What of the amount the platform pays, by a promo code; the customer pays the rest. Nil is nothing.
    public var discount: Money?
    /// The promo code that gives it. Nil is none, or, of an older event, not told.
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

    /// What the customer pays.
    public var customerPart: Money { Money(amount: amount.amount - (discount?.amount ?? 0), currency: amount.currency) }
}
