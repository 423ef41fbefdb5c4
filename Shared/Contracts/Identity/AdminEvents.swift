public import Foundation
public import Messaging

/// An admin has banned an account in a market, or a master admin in all (`*`). An ``AccountChanged`` tells of the roles
/// that are left.
public struct AccountBanned: Message {
    public static let name: MessageName = "identity.account.banned.v1"
    public var account: UUID
    /// `*` is all of them.
    public var market: String
    public var reason: String
    /// Nil is for ever.
    public var until: Date?
    /// The admin.
    public var by: UUID
    /// Of the account: of several words about a ban that with the greatest one counts, whatever the clocks said. Nil of
    /// those that were sent before there was one.
    public var version: Int?
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        account: UUID, market: String, reason: String, until: Date?, by: UUID, version: Int?, at: Date
    ) {
        self.account = account
        self.market = market
        self.reason = reason
        self.until = until
        self.by = by
        self.version = version
        self.at = at
    }
}

/// An admin has taken a ban back.
public struct AccountUnbanned: Message {
    public static let name: MessageName = "identity.account.unbanned.v1"
    public var account: UUID
    public var market: String
    /// The admin.
    public var by: UUID
    /// As ``AccountBanned/version``.
    public var version: Int?
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, by: UUID, version: Int?, at: Date) {
        self.account = account
        self.market = market
        self.by = by
        self.version = version
        self.at = at
    }
}

/// A master admin, or an operator at the command line, has made somebody an admin of a market, or of all (`*`), or a
/// master admin has taken that back. An ``AccountRegistered`` or ``AccountChanged`` tells of the account.
public struct AdminChanged: Message {
    public static let name: MessageName = "identity.admin.changed.v1"
    public var account: UUID
    public var market: String
    public var isAdmin: Bool
    /// The master admin; nil for an operator.
    public var by: UUID?
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, isAdmin: Bool, by: UUID?, at: Date) {
        self.account = account
        self.market = market
        self.isAdmin = isAdmin
        self.by = by
        self.at = at
    }
}

/// An admin has made, changed or removed a provider or a customer of a market. Others are told of the account itself.
public struct AccountManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case created, changed, removed
        /// Once more, after the making.
        case invited
        /// Whose removal inactivity or a relative had asked for.
        case kept
        /// The deletion that the admin gave the word for is refused: something is open.
        case removalRefused = "removal-refused"
        /// Of who had lost it.
        case secondFactorReset = "second-factor-reset"
        /// To somebody whom the market knows already, or who has accepted it.
        case roleGiven = "role-given"
    }

    public static let name: MessageName = "identity.account.managed.v1"
    public var account: UUID
    public var market: String
    public var act: Act
    /// The admin.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, act: Act, by: UUID, at: Date) {
        self.account = account
        self.market = market
        self.act = act
        self.by = by
        self.at = at
    }
}
