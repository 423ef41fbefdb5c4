public import Foundation
public import Messaging

/// The wallet's answer about the deletion of an account: the obstacles; none when it may be granted. After this no
/// money of the account begins to move until the deletion is refused.
public struct WalletAnsweredDeletion: Message {
    public static let name: MessageName = "wallet.deletion.answered.v1"
    public var deletion: UUID
    public var account: UUID
    public var obstacles: [DeletionObstacle]
    public var at: Date
    public var aggregate: String { account.text }

    public init(deletion: UUID, account: UUID, obstacles: [DeletionObstacle], at: Date) {
        self.deletion = deletion
        self.account = account
        self.obstacles = obstacles
        self.at = at
    }
}
