import Foundation
import Postgres

/// The restaurant says that the meal can be fetched. A courier who was to be searched later is searched now.
struct ReadyOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.ready, of: order, by: account, at: now, in: transaction)
    }
}
