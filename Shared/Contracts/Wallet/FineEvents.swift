public import Foundation
public import Messaging

/// A customer cancelled late and was charged a fine, below zero if necessary. The shares add up to the amount.
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
    /// The end of the time for paying it before the account is blocked.
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

/// A fine is still unpaid. Published once a day until it is paid.
public struct FineReminder: Message {
    public static let name: MessageName = "wallet.fine.reminder.v1"
    public var account: UUID
    public var market: String
    /// Above zero: the amount that brings the wallet back to zero.
    public var owed: Money
    /// The time at which the account is, or was, blocked.
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

/// A fine was not paid in time: until it is, the account cannot order or pay anything new in the market. This is not a
/// ban: the account can log in, read, top up and pay what it owes. Readers keep the newest `version` of an account in a
/// market.
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

/// The owed amount is paid, and the block has ended.
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
