import Foundation

/// The beginning of a page of a list ordered by time; ids order rows of the same time.
struct TimePosition: Sendable {
    let time: Date
    let id: UUID

    /// The beginning of lists in ascending order.
    static let beginning = TimePosition(time: Date(timeIntervalSince1970: 0), id: leastID)
    /// The beginning of lists in descending order.
    static let end = TimePosition(time: .distantFuture, id: leastID)

    private static let leastID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
