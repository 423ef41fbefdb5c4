import Foundation
import Synchronization

/// The orders of which something was logged already, so that each is logged once and not with each position.
final class LoggedOrders: Sendable {
    /// When there are so many, all are forgotten.
    static let limit = 1_000

    private let known = Mutex<Set<UUID>>([])

    func isFirst(_ order: UUID) -> Bool {
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            return known.insert(order).inserted
        }
    }
}
