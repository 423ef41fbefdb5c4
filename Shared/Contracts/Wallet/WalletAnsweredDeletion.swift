public import Foundation
public import Messaging

/// The wallet's answer about the deletion of an account: the obstacles; none when it may be granted. After this no
/// money of the account begins to move until the deletion is refused.
public struct WalletAnsweredDeletion: Message {
    public static let name: MessageName = "wallet.deletion.answered.v1"
    public var deletion: UUID
    public var account: UUID
    /// The obstacles as every version reads them; ``all`` has them in the newest words.
    public var obstacles: [DeletionObstacle]
    public var reasons: [String]?
    /// The account's debts, by currency. Nil for none, and in an older event.
    public var owed: [Money]?
    public var at: Date
    public var aggregate: String { account.text }

    /// Every obstacle that this version knows.
    public var all: [DeletionObstacle] { DeletionObstacles.read(obstacles, reasons) }

    public init(
        deletion: UUID, account: UUID, obstacles: [DeletionObstacle], owed: [Money] = [], at: Date
    ) {
        self.deletion = deletion
        self.account = account
        let told = DeletionObstacles(obstacles)
        (self.obstacles, reasons) = (told.known, told.reasons)
        self.owed = owed.isEmpty ? nil : owed
        self.at = at
    }
}
