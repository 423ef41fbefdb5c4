public import Foundation
public import Messaging

/// Dispatch's answer about the deletion of an account: the open orders that prevent it; none when it may be granted.
/// After this no order of the account begins until the deletion is refused.
public struct DispatchAnsweredDeletion: Message {
    public static let name: MessageName = "dispatch.deletion.answered.v1"
    public var deletion: UUID
    public var account: UUID
    /// At most ten.
    public var orders: [UUID]
    /// Whether visits of a series of the account are still ordered, so that there will be open orders again. Nil in an
    /// older event.
    public var hasSeries: Bool?
    public var at: Date
    public var aggregate: String { account.text }

    public init(deletion: UUID, account: UUID, orders: [UUID], hasSeries: Bool? = nil, at: Date) {
        self.deletion = deletion
        self.account = account
        self.orders = orders
        self.hasSeries = hasSeries
        self.at = at
    }
}
