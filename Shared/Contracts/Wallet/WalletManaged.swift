public import Foundation
public import Messaging

/// An admin created, changed or ended a subscription plan or a promo code of a market.
public struct WalletManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case planCreated = "plan.created"
        case planChanged = "plan.changed"
        case planEnded = "plan.ended"
        case promoCodeCreated = "promo-code.created"
        case promoCodeEnded = "promo-code.ended"
    }

    public static let name: MessageName = "wallet.market.managed.v1"
    public var market: String
    public var act: Act
    /// The plan or the promo code.
    public var subject: UUID
    /// The chosen values, for people: `price`, `code`.
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
