public import Foundation
public import Messaging

/// An admin banned an account in a market, or a master admin in all (`*`). An ``AccountChanged`` has the remaining
/// roles.
public struct AccountBanned: Message {
    public static let name: MessageName = "identity.account.banned.v1"
    public var account: UUID
    /// `*` for all markets.
    public var market: String
    public var reason: String
    /// Nil for a permanent ban.
    public var until: Date?
    /// The admin's account.
    public var by: UUID
    /// The account's version: of several events about a ban the greatest version counts, whatever their times are. Nil
    /// in events from before this field existed.
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

/// An admin lifted a ban.
public struct AccountUnbanned: Message {
    public static let name: MessageName = "identity.account.unbanned.v1"
    public var account: UUID
    public var market: String
    /// The admin's account.
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

/// A master admin, or an operator's command, made an account an admin of a market or of all (`*`) or the support of a
/// market, or a master admin reversed this. An ``AccountRegistered`` or ``AccountChanged`` has the account itself.
public struct AdminChanged: Message {
    public static let name: MessageName = "identity.admin.changed.v1"
    public var account: UUID
    public var market: String
    /// Whether the rights are given; false where they are taken.
    public var isAdmin: Bool
    /// `support` for the rights of support; nil for those of an admin.
    public var rank: String?
    /// The master admin's account; nil for an operator.
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

/// An admin created, changed or removed a provider or a customer of a market. Other events have the account itself.
public struct AccountManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case created, changed, removed
        /// The invitation was sent again.
        case invited
        /// An account that was listed for inactivity or by a relative is kept.
        case kept
        /// The deletion that the admin asked for was refused, because something is open.
        case removalRefused = "removal-refused"
        /// For a person who had lost the second factor.
        case secondFactorReset = "second-factor-reset"
        /// To a person whom the market knows, or who has accepted an offer.
        case roleGiven = "role-given"
        /// The job title that Nafath named is none of the market's.
        case titleDeclined = "title-declined"
        /// E-mail address or mobile number were wrong.
        case contactCorrected = "contact-corrected"
        /// One session of the person, or all.
        case sessionsEnded = "sessions-ended"
    }

    public static let name: MessageName = "identity.account.managed.v1"
    public var account: UUID
    public var market: String
    public var act: Act
    /// The admin's account.
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
