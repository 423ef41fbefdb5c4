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

/// A provider handed in a document, which waits for an admin.
public struct DocumentSubmitted: Message {
    public static let name: MessageName = "identity.document.submitted.v1"
    /// The provider.
    public var account: UUID
    public var market: String
    /// The kind of document, such as `licence`.
    public var kind: String
    public var document: UUID
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, kind: String, document: UUID, at: Date) {
        self.account = account
        self.market = market
        self.kind = kind
        self.document = document
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
    /// Whether nothing of the provider's papers waits for an admin after it. Nil in an older event, which does not say.
    public var isLast: Bool?
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, kind: String, document: UUID, isVerified: Bool, reason: String?, by: UUID,
        at: Date, isLast: Bool? = nil
    ) {
        self.isLast = isLast
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

/// A provider's verified document expires soon, or has lapsed: it does not count any more, and a provider who needs it is
/// not verified. Published 30 and 7 days before its last day, and after it.
public struct DocumentExpiring: Message {
    public static let name: MessageName = "identity.document.expiring.v1"
    /// The provider.
    public var account: UUID
    public var market: String
    /// The kind of document, such as `licence`.
    public var kind: String
    public var document: UUID
    /// The last day on which it holds, `2027-03-01`, in the market's zone.
    public var expiresOn: String
    public var isLapsed: Bool
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, kind: String, document: UUID, expiresOn: String, isLapsed: Bool, at: Date
    ) {
        self.account = account
        self.market = market
        self.kind = kind
        self.document = document
        self.expiresOn = expiresOn
        self.isLapsed = isLapsed
        self.at = at
    }
}
