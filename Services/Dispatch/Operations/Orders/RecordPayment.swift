import Foundation
import Messaging
import Postgres

/// The wallet has told of the order's payment: once it is held, the provider goes on the way.
struct RecordPayment: Sendable {
    let change: ChangeOrder

    /// What comes late, twice, or after the order has ended changes nothing.
    ///
    /// - Throws: `PoisonMessage` when there never was such an order.
    func callAsFunction(
        _ trigger: OrderTrigger, of id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order else { throw PoisonMessage("no such order") }
        try change.bySystem(trigger, to: order, at: now, in: transaction)
    }
}
