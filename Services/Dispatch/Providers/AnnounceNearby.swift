import Foundation
import Postgres

/// Tells the customer once that the provider is near.
struct AnnounceNearby: Sendable {
    /// Publishes `dispatch.order.nearby.v1` with the order's snapshot, in the given transaction. The orders' part gives
    /// it: it locks the order and does nothing when the provider is no longer on the way.
    typealias Announce =
        @Sendable (
            _ order: UUID, _ metresLeft: Int, _ secondsLeft: Int, _ transaction: PostgresTransaction
        ) async throws -> Void

    let pool: PostgresPool
    let announce: Announce

    func callAsFunction(_ arrival: RecordPositions.Arrival) async throws {
        try await pool.withTransaction { transaction in
            // The order before its odometer, as who changes the order takes them.
            transaction.send(LockOrder(order: arrival.order))
            // Whoever marks the order announces it: with the mark, or not at all.
            guard try await transaction.execute(MarkNearby(order: arrival.order)) == 1 else { return }
            try await announce(arrival.order, arrival.metresLeft, arrival.secondsLeft, transaction)
        }
    }
}
