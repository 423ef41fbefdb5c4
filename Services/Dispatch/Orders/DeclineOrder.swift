import Foundation
import Postgres

/// The provider does not want the order.
struct DeclineOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, reason: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.decline(reason: reason), of: order, by: account, at: now, in: transaction)
    }
}
