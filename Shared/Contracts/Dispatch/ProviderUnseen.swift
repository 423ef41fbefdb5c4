public import Foundation
public import Messaging

/// A provider has switched on, and nobody sees him or her: the market asks for a subscription, and none runs (C8).
public struct ProviderUnseen: Message {
    public static let name: MessageName = "dispatch.provider.unseen.v1"
    public var account: UUID
    public var market: String
    /// `not-subscribed`.
    public var reason: String
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, reason: String, at: Date) {
        self.account = account
        self.market = market
        self.reason = reason
        self.at = at
    }
}
