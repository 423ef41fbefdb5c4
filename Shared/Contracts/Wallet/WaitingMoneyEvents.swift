public import Foundation
public import Messaging

/// A part of what an account was to get was taken from a wallet that has less: it waits until its debtor has paid, and can be
/// neither spent nor cashed out before.
public struct MoneyWaiting: Message {
    public static let name: MessageName = "wallet.money.waiting.v1"
    /// Who is to get it.
    public var account: UUID
    public var market: String
    public var order: UUID?
    /// What of it waits.
    public var amount: Money
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, order: UUID?, amount: Money, at: Date) {
        self.account = account
        self.market = market
        self.order = order
        self.amount = amount
        self.at = at
    }
}

/// Money that waited for its debtor is in the account's wallet. What was paid together, of a market, is told together.
public struct MoneyAvailable: Message {
    public static let name: MessageName = "wallet.money.available.v1"
    /// Who has got it.
    public var account: UUID
    public var market: String
    /// Nil where it is of several orders.
    public var order: UUID?
    /// What has come, which may be a part of what waited.
    public var amount: Money
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, order: UUID?, amount: Money, at: Date) {
        self.account = account
        self.market = market
        self.order = order
        self.amount = amount
        self.at = at
    }
}
