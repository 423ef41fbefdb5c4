public import Foundation
public import Messaging

/// Money of a card was taken back at the payment provider without a request from here: its owner disputes the charge at
/// the bank, or it was refunded in the payment provider's dashboard. Published with each step, for the admins of the
/// market and the wallet's owner.
public struct DisputeChanged: Message {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// At the card's bank.
        case dispute
        /// In the payment provider's dashboard.
        case refund
    }

    public enum State: String, Codable, Sendable, CaseIterable {
        /// The bank asks, and has taken nothing yet.
        case inquiry
        case open
        /// The money is back.
        case won
        case lost
        /// The dispute ended without effect; the taken money is back.
        case dismissed
        /// For a refund: it is done, and nothing follows.
        case made
    }

    public static let name: MessageName = "wallet.dispute.changed.v1"
    public var dispute: UUID
    public var kind: Kind
    public var state: State
    /// The account whose card was charged.
    public var account: UUID
    public var market: String
    /// Nil for a top-up and a subscription.
    public var order: UUID?
    public var amount: Money
    /// The part that the wallet has paid; the platform's part is not in it.
    public var debited: Money
    /// Whether it keeps the account's wallet frozen: no payments and no cash-outs.
    public var freezes: Bool
    /// The bank's reason, such as `fraudulent`.
    public var reason: String?
    public var at: Date
    public var aggregate: String { dispute.text }

    public init(
        dispute: UUID, kind: Kind, state: State, account: UUID, market: String, order: UUID?, amount: Money,
        debited: Money, freezes: Bool, reason: String?, at: Date
    ) {
        self.dispute = dispute
        self.kind = kind
        self.state = state
        self.account = account
        self.market = market
        self.order = order
        self.amount = amount
        self.debited = debited
        self.freezes = freezes
        self.reason = reason
        self.at = at
    }
}

/// An admin ended the freeze of a wallet in the admin's market.
public struct WalletUnfrozen: Message {
    public static let name: MessageName = "wallet.account.unfrozen.v1"
    public var account: UUID
    public var market: String
    public var reason: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, reason: String, by: UUID, at: Date) {
        self.account = account
        self.market = market
        self.reason = reason
        self.by = by
        self.at = at
    }
}
