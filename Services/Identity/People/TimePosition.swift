import Foundation

/// Where a page of a list that is ordered by time begins; ids make the order whole.
struct TimePosition: Sendable {
    let time: Date
    let id: UUID

    /// Before everything, of lists whose oldest comes first.
    static let beginning = TimePosition(time: Date(timeIntervalSince1970: 0), id: leastID)
    /// Before everything, of lists whose newest comes first.
    static let end = TimePosition(time: .distantFuture, id: leastID)

    private static let leastID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
