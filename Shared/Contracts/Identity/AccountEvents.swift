public import Foundation
public import Messaging

/// An account was registered; where a market confirms accounts, after the confirmation.
public struct AccountRegistered: Message {
    public static let name: MessageName = "identity.account.registered.v1"
    public var account: AccountSnapshot
    public var at: Date
    public var aggregate: String { account.account.text }

    public init(account: AccountSnapshot, at: Date) {
        self.account = account
        self.at = at
    }
}

/// Name, language, gender, roles, picture or notice choices of an account changed.
public struct AccountChanged: Message {
    public static let name: MessageName = "identity.account.changed.v1"
    public var account: AccountSnapshot
    public var at: Date
    public var aggregate: String { account.account.text }

    public init(account: AccountSnapshot, at: Date) {
        self.account = account
        self.at = at
    }
}

/// An admin verified a provider of a market, after checking the papers.
public struct ProviderVerified: Message {
    public static let name: MessageName = "identity.provider.verified.v1"
    public var account: AccountSnapshot
    public var market: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.account.text }

    public init(account: AccountSnapshot, market: String, by: UUID, at: Date) {
        self.account = account
        self.market = market
        self.by = by
        self.at = at
    }
}

/// An admin rejected a provider of a market, or reversed an earlier verification.
public struct ProviderRejected: Message {
    public static let name: MessageName = "identity.provider.rejected.v1"
    public var account: AccountSnapshot
    public var market: String
    public var reason: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.account.text }

    public init(account: AccountSnapshot, market: String, reason: String, by: UUID, at: Date) {
        self.account = account
        self.market = market
        self.reason = reason
        self.by = by
        self.at = at
    }
}
