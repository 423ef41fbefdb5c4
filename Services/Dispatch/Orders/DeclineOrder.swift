import Foundation
import Postgres

/// Declines an order for its provider or merchant.
struct DeclineOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, reason: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.decline(reason: reason), of: order, by: account, at: now, in: transaction)
    }
}
