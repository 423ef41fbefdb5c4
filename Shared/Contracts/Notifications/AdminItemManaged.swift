public import Foundation
public import Messaging

/// An admin took something that waits for the admins of a market, gave it back, or said that it is done.
public struct AdminItemManaged: Message {
    public static let name: MessageName = "notifications.admin_item.managed.v1"

    public enum Act: String, Codable, Sendable, CaseIterable {
        case taken = "inbox-item.taken"
        case released = "inbox-item.released"
        case done = "inbox-item.done"
        /// What was marked as done waits again.
        case reopened = "inbox-item.reopened"
    }

    public var act: Act
    public var item: UUID
    public var market: String
    /// What waits, such as `cash-out`.
    public var kind: String
    /// The thing: an order, a report, a cash-out, a link, an account.
    public var subject: UUID
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { item.text }

    public init(act: Act, item: UUID, market: String, kind: String, subject: UUID, by: UUID, at: Date) {
        self.act = act
        self.item = item
        self.market = market
        self.kind = kind
        self.subject = subject
        self.by = by
        self.at = at
    }
}
