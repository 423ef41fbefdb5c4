import Foundation
import Messaging
import Postgres

/// The wallet has told of the deposit of an order's provider.
struct RecordDeposit: Sendable {
    let change: ChangeOrder

    /// What answers an earlier acceptance, or comes late or twice, changes nothing; but a deposit that is locked when its
    /// window is over puts the order back on the board, as the window's deadline would have. The wallet hears of that, and
    /// gives the deposit back.
    ///
    /// - Parameter provider: whose deposit it is, where the trigger does not name the acceptance. What comes of somebody
    ///   who has the order no more is nothing to it.
    /// - Throws: `PoisonMessage` when there never was such an order.
    func callAsFunction(
        _ trigger: OrderTrigger, of id: UUID, from provider: UUID? = nil, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order else { throw PoisonMessage("no such order") }
        guard provider == nil || order.provider?.account == provider else { return }
        let isAnswer = trigger.acceptance == order.deposit?.orderVersion && order.deposit?.state == .awaited
        let isTooLate = isAnswer && order.isTooLate(for: trigger, at: now)
        try change.bySystem(isTooLate ? .windowOver(.deposit) : trigger, to: order, at: now, in: transaction)
    }
}
