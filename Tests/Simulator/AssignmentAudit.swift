import Contracts
import Foundation

/// Whether a provider ever had two orders at a time, by the times that dispatch itself gave to the changes. Pure.
struct AssignmentAudit {
    struct Assignment: Equatable {
        let order: UUID
        let from: Date
        let until: Date
    }

    /// Pairs of orders of one provider that ran at the same time.
    let overlaps: [(Assignment, Assignment)]

    /// - Parameters:
    ///   - versions: everything that was seen of the orders of one provider.
    ///   - skew: by how much the clocks that gave the times may differ.
    init(_ versions: [OrderSnapshot], skew: Duration = .zero) {
        let running: Set<OrderSnapshot.State> = [.accepted, .preparing, .enRoute, .arrived, .inProgress]
        let assignments = Dictionary(grouping: versions, by: \.order).compactMap { order, versions -> Assignment? in
            guard let from = versions.filter({ running.contains($0.state) }).map(\.changedAt).min() else { return nil }
            let until = versions.filter(\.state.isFinal).map(\.changedAt).min() ?? .distantFuture
            return Assignment(order: order, from: from, until: until)
        }
        let sorted = assignments.sorted { $0.from < $1.from }
        overlaps = zip(sorted, sorted.dropFirst()).filter { $0.until > $1.from.addingTimeInterval(skew.inSeconds) }
    }
}
