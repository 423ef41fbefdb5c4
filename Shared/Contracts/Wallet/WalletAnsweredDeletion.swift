public import Foundation
public import Messaging

/// What the wallet knows that keeps an account from being deleted; nothing when it may go. No money of the account
/// begins to move after it, until the deletion is refused.
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
