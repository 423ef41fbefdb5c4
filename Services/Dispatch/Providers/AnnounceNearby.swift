import Foundation
import Postgres

/// Tells the customer once that the provider is near.
struct AnnounceNearby: Sendable {
    /// Publishes `dispatch.order.nearby.v1` with the order's snapshot in the given transaction. The implementation of
    /// orders locks the order and does nothing if the provider is no longer on the way.
    typealias Announce =
        @Sendable (
            _ order: UUID, _ metresLeft: Int, _ secondsLeft: Int, _ transaction: PostgresTransaction
        ) async throws -> Void

    let pool: PostgresPool
    let announce: Announce

    func callAsFunction(_ arrival: RecordPositions.Arrival) async throws {
        try await pool.withTransaction { transaction in
            // Lock order: the order before its odometer, as in changes of the order.
            transaction.send(LockOrder(order: arrival.order))
            // Mark and event are in one transaction: exactly one call sets the mark and publishes.
            guard try await transaction.execute(MarkNearby(order: arrival.order)) == 1 else { return }
            try await announce(arrival.order, arrival.metresLeft, arrival.secondsLeft, transaction)
        }
    }
}
