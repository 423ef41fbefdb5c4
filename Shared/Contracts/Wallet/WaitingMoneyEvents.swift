public import Foundation
public import Messaging

/// Part of an account's money was taken from a wallet that has less: this part waits until the debtor has paid, and can
/// be neither spent nor cashed out before.
public struct MoneyWaiting: Message {
    public static let name: MessageName = "wallet.money.waiting.v1"
    /// The receiver.
    public var account: UUID
    public var market: String
    public var order: UUID?
    /// The waiting part.
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

/// Money that waited for its debtor is in the receiver's wallet. Amounts of one market that were paid together are
/// published together.
public struct MoneyAvailable: Message {
    public static let name: MessageName = "wallet.money.available.v1"
    /// The receiver.
    public var account: UUID
    public var market: String
    /// Nil for money of several orders.
    public var order: UUID?
    /// The received amount, which may be a part of the waiting one.
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
