import Contracts
import Foundation
import Phones

/// What phones know of a database that was set back to an earlier moment while they were in use.
enum SetBack {
    /// When the last stream heard that it had missed something; nil when none did. Nothing else takes events from streams of
    /// phones that come back as soon as they can.
    static func last(of logs: [StreamLog]) -> ContinuousClock.Instant? {
        logs.flatMap(\.entries).filter { if case .ready(hasMissed: true) = $0.event { true } else { false } }
            .map(\.at).max()
    }

    /// Whether the order was begun before that.
    static func isOlder(_ order: Observations.Order?, than setBackAt: ContinuousClock.Instant?) -> Bool {
        guard let order, let setBackAt else { return false }
        return order.sentAt < setBackAt
    }

    /// The order as it is now; nil when it was undone.
    static func survivor(_ order: UUID, _ phone: Phone) async throws -> OrderSnapshot? {
        do {
            return try await phone.order(order).snapshot
        } catch let refusal as Refusal where refusal.status == 404 {
            return nil
        }
    }
}
