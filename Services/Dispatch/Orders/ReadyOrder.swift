import Foundation
import Postgres

/// Marks a meal as ready for pick-up. A search for a courier that was scheduled for later begins now.
struct ReadyOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.ready, of: order, by: account, at: now, in: transaction)
    }
}
