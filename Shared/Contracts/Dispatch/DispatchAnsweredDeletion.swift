public import Foundation
public import Messaging

/// The open orders that keep an account from being deleted; none when it may go. No order of the account begins after
/// it, until the deletion is refused.
public struct DispatchAnsweredDeletion: Message {
    public static let name: MessageName = "dispatch.deletion.answered.v1"
    public var deletion: UUID
    public var account: UUID
    /// Ten at most.
    public var orders: [UUID]
    public var at: Date
    public var aggregate: String { account.text }

    public init(deletion: UUID, account: UUID, orders: [UUID], at: Date) {
        self.deletion = deletion
        self.account = account
        self.orders = orders
        self.at = at
    }
}
