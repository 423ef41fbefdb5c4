public import Foundation
public import Messaging

/// A stored card expires soon. Published once for each card and expiry, from the month before its last one.
public struct CardExpiring: Message {
    public static let name: MessageName = "wallet.card.expiring.v1"
    public var card: UUID
    public var account: UUID
    public var brand: String
    public var lastFour: String
    /// 1...12; the card is valid until the end of this month.
    public var expiryMonth: Int
    /// Four digits.
    public var expiryYear: Int
    public var at: Date
    public var aggregate: String { card.text }

    public init(
        card: UUID, account: UUID, brand: String, lastFour: String, expiryMonth: Int, expiryYear: Int, at: Date
    ) {
        self.card = card
        self.account = account
        self.brand = brand
        self.lastFour = lastFour
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.at = at
    }
}

/// A stored card has expired: its last month is over. Published once for each card and expiry.
public struct CardExpired: Message {
    public static let name: MessageName = "wallet.card.expired.v1"
    public var card: UUID
    public var account: UUID
    public var brand: String
    public var lastFour: String
    /// 1...12; the card was valid until the end of this month.
    public var expiryMonth: Int
    /// Four digits.
    public var expiryYear: Int
    public var at: Date
    public var aggregate: String { card.text }

    public init(
        card: UUID, account: UUID, brand: String, lastFour: String, expiryMonth: Int, expiryYear: Int, at: Date
    ) {
        self.card = card
        self.account = account
        self.brand = brand
        self.lastFour = lastFour
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.at = at
    }
}

/// Whether an account has a stored card that can be charged, and its cards. Published when one of these changes; an
/// account without such an event has none. Readers keep the newest version.
public struct MethodChanged: Message {
    /// A stored card, without anything that its owner would be recognized by.
    public struct Card: Codable, Hashable, Sendable {
        public var card: UUID
        /// 1...12; the card is valid until the end of this month.
        public var expiryMonth: Int
        /// Four digits.
        public var expiryYear: Int
        /// True if the owner has agreed that recurring orders charge the card in the owner's absence.
        public var isConsented: Bool

        public init(card: UUID, expiryMonth: Int, expiryYear: Int, isConsented: Bool) {
            self.card = card
            self.expiryMonth = expiryMonth
            self.expiryYear = expiryYear
            self.isConsented = isConsented
        }
    }

    public static let name: MessageName = "wallet.method.changed.v1"
    public var account: UUID
    /// 1 with the first card, plus 1 with each change.
    public var version: Int
    public var hasMethod: Bool
    /// All stored cards, also expired ones. Nil in an older event, which does not say.
    public var cards: [Card]?
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, version: Int, hasMethod: Bool, cards: [Card]? = nil, at: Date) {
        self.account = account
        self.version = version
        self.hasMethod = hasMethod
        self.cards = cards
        self.at = at
    }
}
