public import Foundation
public import Messaging

/// The range of rows that a republishing message contains.
///
/// Such a message is not an event: it causes no notice, no charge, no count and no end. It contains all rows of its
/// range as they were at ``readAt``. A reader may therefore also delete its own rows in this range that the message
/// does not contain, if it wrote them well before ``readAt`` (`docs/decisions/0052-what-is-told-again.md`).
public struct ToldRange: Codable, Hashable, Sendable {
    /// The allowed difference between the clocks of two services, in seconds.
    public static let clockMargin: Double = 600

    /// The range begins after this id. Nil for the beginning.
    public var after: UUID?
    /// The last id of the range. Nil for the end of all rows.
    public var through: UUID?
    /// When the rows were read, or shortly before.
    public var readAt: Date

    public init(after: UUID?, through: UUID?, readAt: Date) {
        self.after = after
        self.through = through
        self.readAt = readAt
    }

    /// Rows that a reader wrote before this moment were known to their owner when the rows were read.
    public var surelyKnown: Date { readAt.addingTimeInterval(-Self.clockMargin) }
}

extension ToldRange {
    /// The range of one part of a republication.
    public init(_ place: RepublishedKind.Place, _ part: RepublishedKind.Part) {
        self.init(after: place.after, through: part.last, readAt: place.readAt)
    }
}
