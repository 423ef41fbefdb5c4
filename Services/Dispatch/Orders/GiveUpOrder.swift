import Foundation
import Postgres

/// The provider cannot do it after all, and somebody else is looked for. The order is the provider's no more.
struct GiveUpOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, reason: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.giveUp(reason: reason), of: order, by: account, at: now, in: transaction)
    }
}
