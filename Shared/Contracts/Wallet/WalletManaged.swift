public import Foundation
public import Messaging

/// An admin created, changed or ended a subscription plan or a promo code of a market, or took or charged a price at the
/// desk.
public struct WalletManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case planCreated = "plan.created"
        case planChanged = "plan.changed"
        case planEnded = "plan.ended"
        case promoCodeCreated = "promo-code.created"
        case promoCodeEnded = "promo-code.ended"
        /// The desk took an order's price in cash; the subject is the order.
        case cashTaken = "payment.cash-taken"
        /// The desk charged a customer who had agreed on the phone; the subject is the order.
        case charged = "payment.charged"
    }

    public static let name: MessageName = "wallet.market.managed.v1"
    public var market: String
    public var act: Act
    /// The plan, the promo code or the order.
    public var subject: UUID
    /// The chosen values, for people: `price`, `code`, `amount`, `method`.
    public var details: [String: String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { subject.text }

    public init(market: String, act: Act, subject: UUID, details: [String: String], by: UUID, at: Date) {
        self.market = market
        self.act = act
        self.subject = subject
        self.details = details
        self.by = by
        self.at = at
    }
}
