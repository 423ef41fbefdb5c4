import Foundation
import Postgres

/// The provider is with the customer, or where something is fetched, and the phone says so, too.
struct ArriveAtOrder: Sendable {
    let change: ChangeOrder
    let presence: Presence

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Presence/NotThere``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            try await presence.require(.arrive, order, by: actor, change, at: now, in: transaction)
            return .arrive
        }
    }
}
