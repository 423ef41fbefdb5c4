public import Foundation
public import Messaging

/// Money of a card was taken back at the payment provider without a word from here: its owner disputes the charge at the
/// bank, or somebody has refunded it in the payment provider's dashboard. Told with each step, for the admins of the market
/// and for the wallet's owner.
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
        /// It came to nothing; what was taken is back.
        case dismissed
        /// Of a refund: it is made, and nothing more comes of it.
        case made
    }

    public static let name: MessageName = "wallet.dispute.changed.v1"
    public var dispute: UUID
    public var kind: Kind
    public var state: State
    /// Whose card was charged.
    public var account: UUID
    public var market: String
    /// Nil of a top-up and a subscription.
    public var order: UUID?
    public var amount: Money
    /// What of it the wallet has paid; nothing of what is the platform's.
    public var debited: Money
    /// Whether it keeps the account's wallet frozen: nothing is paid from there, nor cashed out.
    public var freezes: Bool
    /// The bank's word: `fraudulent`.
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

/// An admin has ended what kept a wallet frozen in the admin's market.
public struct WalletUnfrozen: Message {
    public static let name: MessageName = "wallet.account.unfrozen.v1"
    public var account: UUID
    public var market: String
    public var reason: String
    /// The admin.
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
