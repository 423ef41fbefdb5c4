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

public struct TopUpView: Decodable, Sendable {
    public let topUp: UUID
    public let state: String
}

/// What a payment of an order has come to.
public struct PaymentView: Decodable, Sendable {
    public let order: UUID
    /// `due`, `authorising`, `held`, `captured`, `released`.
    public let state: String
    public let method: String?
    public let amount: Money?
}

/// The ledger of one currency, summed up.
public struct TrialBalance: Decodable, Sendable {
    public struct Currency: Decodable, Sendable {
        public let currency: String
        /// Of all accounts; zero at every moment.
        public let sum: Int
        /// In escrow.
        public let held: Int
        /// Sums by the kind of account.
        public let kinds: [String: Int]
    }

    public let items: [Currency]
}
