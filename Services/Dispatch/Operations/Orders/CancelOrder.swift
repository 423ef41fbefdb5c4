import Foundation
import Postgres

/// The customer does not want the order any more, and nobody is on the way.
struct CancelOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, reason: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.cancel(reason: reason), of: order, by: account, at: now, in: transaction)
    }
}
