import Foundation
import Postgres

/// Records that the provider has come near. Customer and provider are told once per order.
struct MarkOrderNearby: Sendable {
    let change: ChangeOrder

    /// - Returns: whether this was the first notice of the order.
    @discardableResult
    func callAsFunction(
        _ id: UUID, metresLeft: Int, secondsLeft: Int, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order else { return false }
        let trigger = OrderTrigger.comeNear(metresLeft: metresLeft, secondsLeft: secondsLeft)
        return try change.bySystem(trigger, to: order, at: now, in: transaction)
    }
}
