import Foundation
import Postgres

/// The provider on the way has come near. Both are told, once for each order.
struct ComeNearOrder: Sendable {
    let change: ChangeOrder

    /// - Returns: whether it was the first time.
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
