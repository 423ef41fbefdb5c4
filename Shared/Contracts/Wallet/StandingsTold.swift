public import Foundation
public import Messaging

/// Republishes what other services know about accounts' money, in the order of the accounts' ids: blocks for unpaid
/// fines, stored cards, subscriptions.
public struct StandingsTold: Message {
    public static let name: MessageName = "wallet.standings.told.v1"

    public struct Standing: Codable, Hashable, Sendable {
        public var account: UUID
        public var blocks: [Block]
        /// Nil for an account that never had a card.
        public var method: Method?
        public var subscriptions: [Subscription]

        public init(account: UUID, blocks: [Block], method: Method?, subscriptions: [Subscription]) {
            self.account = account
            self.blocks = blocks
            self.method = method
            self.subscriptions = subscriptions
        }
    }

    /// A block, with the fields of ``AccountBlocked`` and ``AccountUnblocked``.
    public struct Block: Codable, Hashable, Sendable {
        public var market: String
        public var isBlocked: Bool
        public var version: Int

        public init(market: String, isBlocked: Bool, version: Int) {
            self.market = market
            self.isBlocked = isBlocked
            self.version = version
        }
    }

    /// A stored card, with the fields of ``MethodChanged``.
    public struct Method: Codable, Hashable, Sendable {
        public var hasMethod: Bool
        public var version: Int
        /// Nil in an older message, which does not say.
        public var cards: [MethodChanged.Card]?

        public init(hasMethod: Bool, version: Int, cards: [MethodChanged.Card]? = nil) {
            self.hasMethod = hasMethod
            self.version = version
            self.cards = cards
        }
    }

    /// A subscription, with the end of its paid time.
    public struct Subscription: Codable, Hashable, Sendable {
        public var market: String
        public var version: Int
        public var endsAt: Date

        public init(market: String, version: Int, endsAt: Date) {
            self.market = market
            self.version = version
            self.endsAt = endsAt
        }
    }

    public var range: ToldRange
    public var accounts: [Standing]
    public var aggregate: String { "standings \(range.after?.text ?? "")" }

    public init(range: ToldRange, accounts: [Standing]) {
        self.range = range
        self.accounts = accounts
    }
}
