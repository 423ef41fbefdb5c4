import Foundation

/// The newest waiting position of each order, or of each friend, for one reader. A late, older one is dropped.
struct LatestPositions: Sendable {
    /// A person follows few orders at a time; the oldest are evicted.
    static let orderLimit = 16
    /// As many friends as identity lets an account have.
    static let friendLimit = 200

    private let limit: Int
    private var newest: [UUID: Date] = [:]
    private var waiting: [UUID: String] = [:]

    init(limit: Int = orderLimit) { self.limit = limit }

    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: whether the position is stored; false if a newer one was.
    mutating func put(order: UUID, at: Date, text: String) -> Bool {
        if let last = newest[order], last > at { return false }
        if newest[order] == nil, newest.count >= limit,
            let oldest = newest.min(by: { $0.value < $1.value })?.key
        {
            newest[oldest] = nil
            waiting[oldest] = nil
        }
        newest[order] = at
        waiting[order] = text
        return true
    }

    /// Takes all waiting positions.
    mutating func take() -> [String] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return Array(waiting.values)
    }
}
