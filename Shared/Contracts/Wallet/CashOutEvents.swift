public import Foundation
public import Messaging

/// An account asked for a cash-out, which waits for an admin. Its amount has left the wallet.
public struct CashOutAsked: Message {
    public static let name: MessageName = "wallet.cashout.asked.v1"
    public var cashOut: UUID
    /// The owner of the money.
    public var account: UUID
    public var market: String
    public var amount: Money
    public var at: Date
    public var aggregate: String { cashOut.text }

    public init(cashOut: UUID, account: UUID, market: String, amount: Money, at: Date) {
        self.cashOut = cashOut
        self.account = account
        self.market = market
        self.amount = amount
        self.at = at
    }
}

/// An admin accepted or rejected a cash-out. After a rejection its amount is back in the wallet.
public struct CashOutDecided: Message {
    public static let name: MessageName = "wallet.cashout.decided.v1"
    public var cashOut: UUID
    /// The owner of the money.
    public var account: UUID
    public var market: String
    public var amount: Money
    public var isAccepted: Bool
    /// The reason of a rejection.
    public var reason: String?
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { cashOut.text }

    public init(
        cashOut: UUID, account: UUID, market: String, amount: Money, isAccepted: Bool, reason: String?, by: UUID,
        at: Date
    ) {
        self.cashOut = cashOut
        self.account = account
        self.market = market
        self.amount = amount
        self.isAccepted = isAccepted
        self.reason = reason
        self.by = by
        self.at = at
    }
}

/// The payment provider paid a cash-out to its bank account or card.
public struct CashOutPaid: Message {
    public static let name: MessageName = "wallet.cashout.paid.v1"
    public var cashOut: UUID
    /// The owner of the money.
    public var account: UUID
    public var market: String
    public var amount: Money
    public var at: Date
    public var aggregate: String { cashOut.text }

    public init(
        cashOut: UUID, account: UUID, market: String, amount: Money, at: Date
    ) {
        self.cashOut = cashOut
        self.account = account
        self.market = market
        self.amount = amount
        self.at = at
    }
}

/// The payment provider could not pay a cash-out. Its amount is back in the wallet.
public struct CashOutFailed: Message {
    public static let name: MessageName = "wallet.cashout.failed.v1"
    public var cashOut: UUID
    /// The owner of the money.
    public var account: UUID
    public var market: String
    public var amount: Money
    /// `payout-refused`, `account-closed`.
    public var reason: String
    public var at: Date
    public var aggregate: String { cashOut.text }

    public init(
        cashOut: UUID, account: UUID, market: String, amount: Money, reason: String, at: Date
    ) {
        self.cashOut = cashOut
        self.account = account
        self.market = market
        self.amount = amount
        self.reason = reason
        self.at = at
    }
}
