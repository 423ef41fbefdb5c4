public import Foundation
public import Messaging

/// Why an account is not deleted now.
public enum DeletionObstacle: String, Codable, Sendable, CaseIterable {
    case openOrder = "open-order"
    /// Money is in the wallet.
    case balance
    /// Money is owed.
    case unpaid
    /// Money waits for an order's end.
    case heldMoney = "held-money"
    /// Money is on its way into the wallet.
    case topUp = "top-up"
    /// An admin gives the rights back first.
    case admin
    /// Of deletions that were refused before bans outlived accounts.
    case banned
    /// A service did not answer in time.
    case noAnswer = "no-answer"
}

/// The deletion of an account has begun: from now on nothing new begins for it, until it is gone or the deletion is
/// refused. Whoever keeps orders or money of it answers with what is open.
public struct DeletionAsked: Message {
    public static let name: MessageName = "identity.deletion.asked.v1"
    public var deletion: UUID
    public var account: UUID
    /// Of the account. A later deletion has a greater one.
    public var version: Int
    public var at: Date
    public var aggregate: String { account.text }

    public init(deletion: UUID, account: UUID, version: Int, at: Date) {
        self.deletion = deletion
        self.account = account
        self.version = version
        self.at = at
    }
}

/// The account stays as it is: something is open.
public struct DeletionRefused: Message {
    public static let name: MessageName = "identity.deletion.refused.v1"
    public var deletion: UUID
    public var account: UUID
    /// That of ``DeletionAsked``.
    public var version: Int
    public var obstacles: [DeletionObstacle]
    /// Open orders, ten at most.
    public var orders: [UUID]
    public var at: Date
    public var aggregate: String { account.text }

    public init(
        deletion: UUID, account: UUID, version: Int, obstacles: [DeletionObstacle], orders: [UUID], at: Date
    ) {
        self.deletion = deletion
        self.account = account
        self.version = version
        self.obstacles = obstacles
        self.orders = orders
        self.at = at
    }
}

/// An account is gone. Readers keep nothing of the person; what is left has ``AccountSnapshot/goneName``.
public struct AccountDeleted: Message {
    public static let name: MessageName = "identity.account.deleted.v1"
    public var account: UUID
    /// Greater than that of any snapshot.
    public var version: Int
    /// The admin whose word it was; nil for the owner's own.
    public var by: UUID?
    /// That he acted for.
    public var market: String?
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, version: Int, by: UUID? = nil, market: String? = nil, at: Date) {
        self.account = account
        self.version = version
        self.by = by
        self.market = market
        self.at = at
    }
}

extension AccountSnapshot {
    /// In the place of the name of somebody whose account is gone, in every language.
    public static let goneName = "—"
}
