public import Foundation
public import Messaging

/// The reasons why an account is not deleted now.
public enum DeletionObstacle: String, Codable, Sendable, CaseIterable {
    case openOrder = "open-order"
    /// Beside an open order: visits of a series are still ordered, so that there will be open ones again.
    case activeSeries = "active-series"
    /// The wallet contains money.
    case balance
    /// The account owes money.
    case unpaid
    /// Money is held until an order ends.
    case heldMoney = "held-money"
    /// Money that others owe the account has not come yet.
    case waitingMoney = "waiting-money"
    /// A top-up of the wallet is not finished.
    case topUp = "top-up"
    /// The account has admin rights, which must be taken away first.
    case admin
    /// Only in deletions that were refused before bans outlived accounts.
    case banned
    /// A service did not answer in time.
    case noAnswer = "no-answer"

    /// The case that stands for this one where it is read by a service from before this one existed.
    fileprivate var known: DeletionObstacle {
        switch self {
        case .activeSeries: .openOrder
        case .waitingMoney: .heldMoney
        default: self
        }
    }
}

/// The obstacles of a deletion, in a message: services of an older version cannot read a case that they do not know, so
/// it is written beside the list that they read.
struct DeletionObstacles {
    /// Every obstacle in a case that all versions know, each once.
    let known: [DeletionObstacle]
    /// All obstacles, when `known` does not say everything.
    let reasons: [String]?

    init(_ all: [DeletionObstacle]) {
        known = all.map(\.known).reduce(into: []) { list, one in if !list.contains(one) { list.append(one) } }
        reasons = known == all ? nil : all.map(\.rawValue)
    }

    /// All obstacles of a message. A later version's ones that this one does not know are left out, unless nothing else
    /// is there.
    static func read(_ known: [DeletionObstacle], _ reasons: [String]?) -> [DeletionObstacle] {
        let all = (reasons ?? []).compactMap(DeletionObstacle.init)
        return all.isEmpty ? known : all
    }
}

/// A relative asked for an account to be removed (I12), which an admin of the market decides.
public struct RemovalAsked: Message {
    public static let name: MessageName = "identity.removal.asked.v1"
    /// The account that is to be removed.
    public var account: UUID
    public var market: String
    /// The relative.
    public var by: UUID
    public var at: Date
    public var aggregate: String { account.text }

    public init(account: UUID, market: String, by: UUID, at: Date) {
        self.account = account
        self.market = market
        self.by = by
        self.at = at
    }
}

/// The deletion of an account has begun: nothing new may begin for it until it is deleted or the deletion is refused.
/// Services with orders or money of the account answer with what is open.
public struct DeletionAsked: Message {
    public static let name: MessageName = "identity.deletion.asked.v1"
    public var deletion: UUID
    public var account: UUID
    /// The account's version. A later deletion has a greater one.
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

/// The deletion is refused and the account stays as it is: something is open.
public struct DeletionRefused: Message {
    public static let name: MessageName = "identity.deletion.refused.v1"
    public var deletion: UUID
    public var account: UUID
    /// The version of ``DeletionAsked``.
    public var version: Int
    /// The obstacles as every version reads them; ``all`` has them in the newest words.
    public var obstacles: [DeletionObstacle]
    public var reasons: [String]?
    /// The account's debts, by currency. Nil for none, and in an older event.
    public var owed: [Money]?
    /// Open orders, at most ten.
    public var orders: [UUID]
    public var at: Date
    public var aggregate: String { account.text }

    /// Every obstacle that this version knows.
    public var all: [DeletionObstacle] { DeletionObstacles.read(obstacles, reasons) }

    public init(
        deletion: UUID, account: UUID, version: Int, obstacles: [DeletionObstacle], orders: [UUID],
        owed: [Money] = [], at: Date
    ) {
        self.deletion = deletion
        self.account = account
        self.version = version
        let told = DeletionObstacles(obstacles)
        (self.obstacles, reasons) = (told.known, told.reasons)
        self.owed = owed.isEmpty ? nil : owed
        self.orders = orders
        self.at = at
    }
}

/// An account is deleted. Readers forget the person; remaining rows get ``AccountSnapshot/goneName``.
public struct AccountDeleted: Message {
    public static let name: MessageName = "identity.account.deleted.v1"
    public var account: UUID
    /// Greater than the version of any snapshot.
    public var version: Int
    /// The admin who asked for it; nil when the owner did.
    public var by: UUID?
    /// The market for which the admin acted.
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
    /// Replaces the name of a deleted account, in every language.
    public static let goneName = "—"
}
