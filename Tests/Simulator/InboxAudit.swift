import Foundation
import Phones

/// What one party's inbox lacks of what it must have, and what it has too often. Pure.
struct InboxAudit: Equatable {
    /// Items that must be there.
    var expected = 0
    var missing: [String] = []
    var surplus: [String] = []

    /// - Parameters:
    ///   - expected: of each of this party's orders.
    ///   - found: each item that is about an order, with its topic.
    init(_ party: ExpectedItems.Party, expected: [UUID: ExpectedItems], found: [(order: UUID, topic: String)]) {
        var counts: [UUID: [String: Int]] = [:]
        for item in found {
            guard let topic = ExpectedItems.counted(item.topic) else { continue }
            counts[item.order, default: [:]][topic, default: 0] += 1
        }
        for (order, items) in expected.sorted(by: { $0.key.path < $1.key.path }) {
            var rest = counts[order] ?? [:]
            let own = items.counts.filter { $0.key.party == party }
            for (key, range) in own.sorted(by: { $0.key.topic < $1.key.topic }) {
                let count = rest.removeValue(forKey: key.topic) ?? 0
                self.expected += range.lowerBound
                let what = "\(party.rawValue)'s \(key.topic) of order \(order.path)"
                missing += Array(repeating: what, count: max(0, range.lowerBound - count))
                surplus += Array(repeating: what, count: max(0, count - range.upperBound))
            }
            for (topic, count) in rest.sorted(by: { $0.key < $1.key }) {
                surplus += Array(repeating: "\(party.rawValue)'s \(topic) of order \(order.path)", count: count)
            }
        }
    }
}
