import Foundation
import Postgres

/// A party says that the work is done. The second one's word completes the order.
struct ConfirmOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.complete, of: order, by: account, at: now, in: transaction)
    }
}
