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
    /// True if the money is a share of a fine; ``FineCharged`` tells its receiver. Nil in an older event.
    public var isOfFine: Bool?
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, order: UUID?, amount: Money, isOfFine: Bool? = nil, at: Date) {
        self.account = account
        self.market = market
        self.order = order
        self.amount = amount
        self.isOfFine = isOfFine
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

/// A receiver has given up money that waited for a debtor, who owes that much less. Amounts of one debtor and market that
/// were given up together are published together.
public struct MoneyGivenUp: Message {
    public static let name: MessageName = "wallet.money.given_up.v1"
    /// The receiver.
    public var account: UUID
    public var debtor: UUID
    public var market: String
    /// Nil for money of several orders.
    public var order: UUID?
    public var amount: Money
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, debtor: UUID, market: String, order: UUID?, amount: Money, at: Date) {
        self.account = account
        self.debtor = debtor
        self.market = market
        self.order = order
        self.amount = amount
        self.at = at
    }
}
