public import Foundation
public import Messaging

/// The provider's deposit for an order was taken from the wallet and is kept until the order's end.
public struct DepositLocked: Message {
    public static let name: MessageName = "wallet.deposit.locked.v1"
    public var order: UUID
    /// The version of the acceptance that this answers.
    public var orderVersion: Int
    public var market: String
    public var provider: UUID
    public var amount: Money
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        order: UUID, orderVersion: Int, market: String, provider: UUID, amount: Money, at: Date
    ) {
        self.order = order
        self.orderVersion = orderVersion
        self.market = market
        self.provider = provider
        self.amount = amount
        self.at = at
    }
}

/// The provider's wallet has less than the order's deposit. Nothing was taken.
public struct DepositRefused: Message {
    public static let name: MessageName = "wallet.deposit.refused.v1"
    public var order: UUID
    /// The version of the acceptance that this answers.
    public var orderVersion: Int
    public var market: String
    public var provider: UUID
    public var amount: Money
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        order: UUID, orderVersion: Int, market: String, provider: UUID, amount: Money, at: Date
    ) {
        self.order = order
        self.orderVersion = orderVersion
        self.market = market
        self.provider = provider
        self.amount = amount
        self.at = at
    }
}

/// A deposit was paid out.
public struct DepositEnded: Message {
    public static let name: MessageName = "wallet.deposit.ended.v1"

    public enum Receiver: String, Codable, Sendable, CaseIterable {
        case provider
        /// By an admin's decision.
        case customer
    }

    public var order: UUID
    public var market: String
    public var provider: UUID
    public var customer: UUID
    public var amount: Money
    /// The receiver.
    public var to: Receiver
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        order: UUID, market: String, provider: UUID, customer: UUID, amount: Money, to: Receiver, at: Date
    ) {
        self.order = order
        self.market = market
        self.provider = provider
        self.customer = customer
        self.amount = amount
        self.to = to
        self.at = at
    }
}
