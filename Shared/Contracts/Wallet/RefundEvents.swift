public import Foundation
public import Messaging

/// An admin gives back what was captured, or a part of it. It has been taken from whoever funds it; a wallet has it, and a
/// card's bank is being asked.
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
    /// Whose wallet it was taken from; nil for the platform.
    public var funder: UUID?
    /// The admin's words.
    public var reason: String
    /// The admin.
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

/// What was to go back to a card, or to another way to pay, did not arrive there: it is in the wallet of whoever it was for.
public struct RefundReturned: Message {
    public static let name: MessageName = "wallet.refund.returned.v1"
    /// The charge at the payment provider by which it was asked back.
    public var charge: UUID
    public var account: UUID
    public var market: String
    /// Nil of a top-up and a subscription.
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

/// A customer tipped the provider of a completed order. All of it is in the provider's wallet.
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
