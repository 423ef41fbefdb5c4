import Foundation

/// Positions on their way to one reader, the newest of each order. An older one that comes late is dropped.
struct LatestPositions: Sendable {
    /// A person follows one order at a time; old ones make room.
    static let orderLimit = 16

    private var newest: [UUID: Date] = [:]
    private var waiting: [UUID: String] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: whether it is told; not when a newer one was.
    mutating func put(order: UUID, at: Date, text: String) -> Bool {
        if let last = newest[order], last > at { return false }
        if newest[order] == nil, newest.count >= Self.orderLimit,
            let oldest = newest.min(by: { $0.value < $1.value })?.key
        {
            newest[oldest] = nil
            waiting[oldest] = nil
        }
        newest[order] = at
        waiting[order] = text
        return true
    }

    /// What waits, which it does no longer.
    mutating func take() -> [String] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return Array(waiting.values)
    }
}
