public import Foundation
public import Messaging

/// Nafath names a medical profession that the market has no title for (I5): an admin looks at it, or has found that it is
/// none. A title that an admin finds makes a provider, of which ``ProviderVerified`` or ``AccountChanged`` tells.
public struct TitleQuestioned: Message {
    public static let name: MessageName = "identity.title.questioned.v1"
    public var account: UUID
    public var market: String
    /// Whether an admin has found no title; false when the question was asked.
    public var isDeclined: Bool
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, isDeclined: Bool, at: Date) {
        self.account = account
        self.market = market
        self.isDeclined = isDeclined
        self.at = at
    }
}
