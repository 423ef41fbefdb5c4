public import Foundation
public import Messaging

/// An admin gave back a captured payment, or a part of it. The money has been taken from its funder; a refund to a
/// wallet has arrived, a refund to a card has been requested from the bank.
public struct PaymentRefunded: Message {
    public static let name: MessageName = "wallet.payment.refunded.v1"

    public enum Destination: String, Codable, Sendable, CaseIterable { case wallet, card }
    public enum Funder: String, Codable, Sendable, CaseIterable { case platform, provider, merchant }

    public var refund: UUID
    public var order: UUID
    public var market: String
    public var customer: UUID
    public var amount: Money
    public var to: Destination
    public var fundedBy: Funder
    /// The owner of the wallet that funds it; nil for the platform.
    public var funder: UUID?
    /// The admin's reason.
    public var reason: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        refund: UUID, order: UUID, market: String, customer: UUID, amount: Money, to: Destination, fundedBy: Funder,
        funder: UUID?, reason: String, by: UUID, at: Date
    ) {
        self.refund = refund
        self.order = order
        self.market = market
        self.customer = customer
        self.amount = amount
        self.to = to
        self.fundedBy = fundedBy
        self.funder = funder
        self.reason = reason
        self.by = by
        self.at = at
    }
}

/// A refund to a card or another way to pay did not arrive there: the money is in the receiver's wallet instead.
public struct RefundReturned: Message {
    public static let name: MessageName = "wallet.refund.returned.v1"
    /// The charge at the payment provider that was refunded.
    public var charge: UUID
    public var account: UUID
    public var market: String
    /// Nil for a top-up and a subscription.
    public var order: UUID?
    public var amount: Money
    public var at: Date
    public var aggregate: String { charge.text }

    public init(charge: UUID, account: UUID, market: String, order: UUID?, amount: Money, at: Date) {
        self.charge = charge
        self.account = account
        self.market = market
        self.order = order
        self.amount = amount
        self.at = at
    }
}

/// A customer tipped the provider of a completed order. The whole tip is in the provider's wallet.
public struct TipGiven: Message {
    public static let name: MessageName = "wallet.tip.given.v1"
    public var order: UUID
    public var market: String
    public var customer: UUID
    public var provider: UUID
    public var amount: Money
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        order: UUID, market: String, customer: UUID, provider: UUID, amount: Money, at: Date
    ) {
        self.order = order
        self.market = market
        self.customer = customer
        self.provider = provider
        self.amount = amount
        self.at = at
    }
}
