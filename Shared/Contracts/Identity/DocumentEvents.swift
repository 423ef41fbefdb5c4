public import Foundation
public import Messaging

/// An admin has looked at what a provider brought for a market: a document, or the details that were typed in.
public struct DocumentViewed: Message {
    public static let name: MessageName = "identity.document.viewed.v1"
    /// The provider.
    public var account: UUID
    public var market: String
    /// The kind of document, such as `licence`; `details` for what was typed in.
    public var kind: String
    /// Nil for details.
    public var document: UUID?
    /// The admin.
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

/// An admin has found a provider's document good, or refused it.
public struct DocumentDecided: Message {
    public static let name: MessageName = "identity.document.decided.v1"
    /// The provider.
    public var account: UUID
    public var market: String
    /// The kind of document, such as `licence`.
    public var kind: String
    public var document: UUID
    public var isVerified: Bool
    /// Why it was refused.
    public var reason: String?
    /// The admin.
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
