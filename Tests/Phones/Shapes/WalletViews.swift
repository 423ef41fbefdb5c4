public import Contracts
public import Foundation

public struct WalletView: Decodable, Sendable {
    public let currency: String
    /// Minor units.
    public let balance: Int
    public let held: Int
}

/// A card as the wallet keeps it: a token of the payment provider's, and what tells it from others.
public struct CardView: Decodable, Sendable {
    public let card: UUID
    public let brand: String
    public let lastFour: String
}

/// Where a customer has to go before a payment can go on.
public struct NextAction: Decodable, Sendable {
    public let url: String
}

public struct TopUpView: Decodable, Sendable {
    public let topUp: UUID
    public let state: String
    public let nextAction: NextAction?
}

/// What a payment of an order has come to.
public struct PaymentView: Decodable, Sendable {
    public let order: UUID
    /// `requested`, `due`, `authorising`, `held`, `captured`, `released`, `closed`.
    public let state: String
    public let method: String?
    /// Why the last attempt by card failed.
    public let refusal: String?
    public let amount: Money?
    public let nextAction: NextAction?
}

/// What providers can buy to be shown to customers.
public struct PlanView: Decodable, Sendable {
    public let plan: UUID
    public let price: Money
    public let endedAt: Date?
}

/// A provider's own subscription in a market.
public struct SubscriptionView: Decodable, Sendable {
    /// `none`, `active`, `expired`
    public let state: String
    public let isRequired: Bool
    public let endsAt: Date?
}

/// The ledger of one currency, summed up.
public struct TrialBalance: Decodable, Sendable {
    public struct Kind: Decodable, Sendable {
        public let kind: String
        /// Minor units, of all accounts of the kind.
        public let balance: Int
    }

    public struct Currency: Decodable, Sendable {
        public let currency: String
        /// Of all accounts; zero at every moment.
        public let sum: Int
        public let heldInEscrow: Int
        /// What the payments say is held: the same, but for the moment between two reads.
        public let openHolds: Int
        public let kinds: [Kind]

        /// Zero where there is no account of the kind.
        public func balance(of kind: String) -> Int { kinds.first { $0.kind == kind }?.balance ?? 0 }
    }

    public let items: [Currency]
}
