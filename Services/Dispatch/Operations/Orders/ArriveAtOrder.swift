import Foundation
import Postgres

/// The provider is with the customer.
struct ArriveAtOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.arrive, of: order, by: account, at: now, in: transaction)
    }
}
