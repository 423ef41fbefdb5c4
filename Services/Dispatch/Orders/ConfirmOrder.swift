import Foundation
import Postgres

/// Records a party's word that the work is done. The second party's word completes the order.
///
/// A driver who confirms away from the destination, or without a known position, ends the ride early: it costs the
/// driven part.
struct ConfirmOrder: Sendable {
    let change: ChangeOrder
    let presence: Presence

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Presence/NotAtPlace``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            guard actor == .provider, let ride = order.ride else {
                try await presence.require(.complete, order, by: actor, change, at: now, in: transaction)
                return .complete
            }
            let driven = try await RideCost()(of: order, until: now, in: transaction)
            if ride.endAskedAt != nil { return .confirmEarlyEnd(cost: driven.cost) }
            let (workflow, settings) = try change.terms(of: order)
            _ = try order.applying(.complete, by: actor, at: now, windows: settings.orderWindows, in: workflow)
            let isAtEnd = try await presence.isAtEnd(order, settings, at: now, in: transaction)
            return isAtEnd ? .complete : .completeElsewhere(cost: driven.cost, metres: driven.metres)
        }
    }
}
