public import Foundation
public import Messaging

/// Republishes the current confirmed accounts in the order of their ids. Deleted and unconfirmed accounts are left out.
public struct AccountsTold: Message {
    public static let name: MessageName = "identity.accounts.told.v1"

    public struct Told: Codable, Hashable, Sendable {
        public var account: AccountSnapshot
        public var registeredAt: Date
        /// The bans that hold.
        public var bans: [Ban]

        public init(account: AccountSnapshot, registeredAt: Date, bans: [Ban]) {
            self.account = account
            self.registeredAt = registeredAt
            self.bans = bans
        }
    }

    public struct Ban: Codable, Hashable, Sendable {
        /// `*` for every market.
        public var market: String
        /// Nil for a permanent ban.
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
