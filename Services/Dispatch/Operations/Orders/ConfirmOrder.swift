import Foundation
import Postgres

/// A party says that the work is done. The second one's word completes the order.
struct ConfirmOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            guard actor == .provider, order.ride?.endAskedAt != nil else { return .complete }
            return .settleEarly(cost: try await RideCost()(of: order, until: now, in: transaction))
        }
    }
}
