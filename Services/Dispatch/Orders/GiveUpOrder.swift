import Foundation
import Postgres

/// Gives an order up for its provider; the search for another provider begins. The order is no longer visible to the
/// provider.
struct GiveUpOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, reason: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.giveUp(reason: reason), of: order, by: account, at: now, in: transaction)
    }
}
