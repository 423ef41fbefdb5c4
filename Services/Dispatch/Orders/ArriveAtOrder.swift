import Foundation
import Postgres

/// Records the provider's arrival at the customer or at the pick-up; the phone's position must agree.
struct ArriveAtOrder: Sendable {
    let change: ChangeOrder
    let presence: Presence

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Presence/NotAtPlace``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            try await presence.require(.arrive, order, by: actor, change, at: now, in: transaction)
            return .arrive
        }
    }
}
