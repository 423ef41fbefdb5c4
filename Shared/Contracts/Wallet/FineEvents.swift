public import Foundation
public import Messaging

/// A customer cancelled late and was charged for it, below zero if need be. The shares add up to the amount.
public struct FineCharged: Message {
    public static let name: MessageName = "wallet.fine.charged.v1"
    public var order: UUID
    public var market: String
    /// The customer.
    public var account: UUID
    public var provider: UUID?
    public var amount: Money
    public var providerShare: Money
    public var platformShare: Money
    /// Until when it can be paid before the account is blocked.
    public var dueAt: Date
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        order: UUID, market: String, account: UUID, provider: UUID? = nil, amount: Money, providerShare: Money,
        platformShare: Money, dueAt: Date, at: Date
    ) {
        self.order = order
        self.market = market
        self.account = account
        self.provider = provider
        self.amount = amount
        self.providerShare = providerShare
        self.platformShare = platformShare
        self.dueAt = dueAt
        self.at = at
    }
}

/// A fine is still not paid. Once a day until it is.
public struct FineReminder: Message {
    public static let name: MessageName = "wallet.fine.reminder.v1"
    public var account: UUID
    public var market: String
    /// Above zero: what brings the wallet back to nothing.
    public var owed: Money
    /// When the account is, or was, blocked for it.
    public var dueAt: Date
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, owed: Money, dueAt: Date, at: Date
    ) {
        self.account = account
        self.market = market
        self.owed = owed
        self.dueAt = dueAt
        self.at = at
    }
}

/// A fine was not paid in time: the account orders and pays nothing new in the market until it is. No ban: one can log in,
/// see, top up and pay what is owed. Readers keep the newest `version` of an account in a market.
public struct AccountBlocked: Message {
    public static let name: MessageName = "wallet.account.blocked.v1"
    public var account: UUID
    public var market: String
    /// Above zero.
    public var owed: Money
    /// Grows with each block and its end.
    public var version: Int
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, owed: Money, version: Int, at: Date
    ) {
        self.account = account
        self.market = market
        self.owed = owed
        self.version = version
        self.at = at
    }
}

/// What was owed is paid, and the block is over.
public struct AccountUnblocked: Message {
    public static let name: MessageName = "wallet.account.unblocked.v1"
    public var account: UUID
    public var market: String
    /// Grows with each block and its end.
    public var version: Int
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, version: Int, at: Date
    ) {
        self.account = account
        self.market = market
        self.version = version
        self.at = at
    }
}
