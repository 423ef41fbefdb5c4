public import Foundation
public import Messaging

/// An admin did something about an inquiry or a reported message. Nothing of what was written is in it.
public struct TalkManaged: Message {
    public static let name: MessageName = "notifications.talk.managed.v1"

    public enum Act: String, Codable, Sendable, CaseIterable {
        case inquiryTaken = "inquiry.taken"
        case inquiryReleased = "inquiry.released"
        case inquiryAnswered = "inquiry.answered"
        case messageReportClosed = "message-report.closed"
    }

    public var act: Act
    /// The inquiry, or the report of a message.
    public var subject: UUID
    public var market: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { subject.text }

    public init(act: Act, subject: UUID, market: String, by: UUID, at: Date) {
        self.act = act
        self.subject = subject
        self.market = market
        self.by = by
        self.at = at
    }
}
