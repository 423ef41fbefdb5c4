public import Foundation
public import Messaging

/// Accounts as they stand, told again in the order of their ids. Those that are gone, or were never confirmed, are not told.
public struct AccountsTold: Message {
    public static let name: MessageName = "identity.accounts.told.v1"

    public struct Told: Codable, Hashable, Sendable {
        public var account: AccountSnapshot
        public var registeredAt: Date
        /// Those that hold.
        public var bans: [Ban]

        public init(account: AccountSnapshot, registeredAt: Date, bans: [Ban]) {
            self.account = account
            self.registeredAt = registeredAt
            self.bans = bans
        }
    }

    public struct Ban: Codable, Hashable, Sendable {
        /// `*` is every market.
        public var market: String
        /// Nil is for ever.
        public var until: Date?
        public var at: Date

        public init(market: String, until: Date?, at: Date) {
            self.market = market
            self.until = until
            self.at = at
        }
    }

    public var range: ToldRange
    public var accounts: [Told]
    public var aggregate: String { "accounts \(range.after?.text ?? "")" }

    public init(range: ToldRange, accounts: [Told]) {
        self.range = range
        self.accounts = accounts
    }
}
