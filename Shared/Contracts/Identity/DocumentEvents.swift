public import Foundation
public import Messaging

/// An admin read a provider's document or typed details for a market.
public struct DocumentViewed: Message {
    public static let name: MessageName = "identity.document.viewed.v1"
    /// The provider.
    public var account: UUID
    public var market: String
    /// The kind of document, such as `licence`; `details` for typed details.
    public var kind: String
    /// Nil for details.
    public var document: UUID?
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, kind: String, document: UUID?, by: UUID, at: Date) {
        self.account = account
        self.market = market
        self.kind = kind
        self.document = document
        self.by = by
        self.at = at
    }
}

/// An admin verified or rejected a provider's document.
public struct DocumentDecided: Message {
    public static let name: MessageName = "identity.document.decided.v1"
    /// The provider.
    public var account: UUID
    public var market: String
    /// The kind of document, such as `licence`.
    public var kind: String
    public var document: UUID
    public var isVerified: Bool
    /// The reason of a rejection.
    public var reason: String?
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, kind: String, document: UUID, isVerified: Bool, reason: String?, by: UUID,
        at: Date
    ) {
        self.account = account
        self.market = market
        self.kind = kind
        self.document = document
        self.isVerified = isVerified
        self.reason = reason
        self.by = by
        self.at = at
    }
}
