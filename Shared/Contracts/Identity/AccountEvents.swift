public import Foundation
public import Messaging

/// An account was made.
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

/// Name, language, gender or roles of an account changed.
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

/// An admin has looked at a provider's papers for a market and found them good.
public struct ProviderVerified: Message {
    public static let name: MessageName = "identity.provider.verified.v1"
    public var account: AccountSnapshot
    public var market: String
    /// The admin.
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

/// An admin has refused a provider's papers for a market, or withdrawn an earlier word.
public struct ProviderRejected: Message {
    public static let name: MessageName = "identity.provider.rejected.v1"
    public var account: AccountSnapshot
    public var market: String
    public var reason: String
    /// The admin.
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
