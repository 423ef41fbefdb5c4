public import Foundation
public import Messaging

/// An admin did something about an inquiry, a reported message or an answer that is kept ready. Nothing of what was written
/// is in it.
public struct TalkManaged: Message {
    public static let name: MessageName = "notifications.talk.managed.v1"

    public enum Act: String, Codable, Sendable, CaseIterable {
        case inquiryTaken = "inquiry.taken"
        case inquiryReleased = "inquiry.released"
        case inquiryAnswered = "inquiry.answered"
        case messageReportClosed = "message-report.closed"
        case cannedAnswerAdded = "canned-answer.added"
        case cannedAnswerChanged = "canned-answer.changed"
        case cannedAnswerRemoved = "canned-answer.removed"
    }

    public var act: Act
    /// The inquiry, the report of a message, or the ready answer.
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
