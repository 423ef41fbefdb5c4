public import Foundation
public import Messaging

/// An admin wrote, changed or cancelled a notice to the people of a market. Nothing of its words is in it.
public struct NoticeManaged: Message {
    public static let name: MessageName = "notifications.notice.managed.v1"

    public enum Act: String, Codable, Sendable, CaseIterable {
        case made = "notice.made"
        case changed = "notice.changed"
        case cancelled = "notice.cancelled"
        /// A cancellation was taken back.
        case restored = "notice.restored"
    }

    public var act: Act
    public var notice: UUID
    public var market: String
    /// `all`, `customers`, `providers`.
    public var audience: String
    /// Of providers: those with this title alone.
    public var title: String?
    /// Those who read this language alone.
    public var language: String?
    /// When it goes out.
    public var dueAt: Date
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { notice.text }

    public init(
        act: Act, notice: UUID, market: String, audience: String, title: String?, language: String?, dueAt: Date,
        by: UUID, at: Date
    ) {
        self.act = act
        self.notice = notice
        self.market = market
        self.audience = audience
        self.title = title
        self.language = language
        self.dueAt = dueAt
        self.by = by
        self.at = at
    }
}
