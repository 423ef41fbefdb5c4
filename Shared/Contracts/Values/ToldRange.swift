public import Foundation
public import Messaging

/// Of which rows of its owner a message tells that tells again how things stand.
///
/// Such a message is no news: nobody is told anything because of it, nothing is charged, counted or ended by it. It has all
/// rows of its range as they were at ``readAt``, so a reader may also drop what its own rows have in that range and the
/// message does not, provided that they were written well before ``readAt``
/// (`docs/decisions/0052-what-is-told-again.md`).
public struct ToldRange: Codable, Hashable, Sendable {
    /// How far the clocks of two services may differ, in seconds.
    public static let clockMargin: Double = 600

    /// Rows up to this id are none of it. Nil is from the first on.
    public var after: UUID?
    /// The last id that it speaks for. Nil is all that there are.
    public var through: UUID?
    /// When its rows were read, or shortly before.
    public var readAt: Date

    public init(after: UUID?, through: UUID?, readAt: Date) {
        self.after = after
        self.through = through
        self.readAt = readAt
    }

    /// What a reader wrote before this moment, its owner knew when the rows were read.
    public var surelyKnown: Date { readAt.addingTimeInterval(-Self.clockMargin) }
}

extension ToldRange {
    /// What a part of a republication speaks for.
    public init(_ place: RepublishedKind.Place, _ part: RepublishedKind.Part) {
        self.init(after: place.after, through: part.last, readAt: place.readAt)
    }
}
