import Foundation
import Messaging
import Postgres

/// Applies the wallet's news about the deposit of an order's provider.
struct RecordDeposit: Sendable {
    let change: ChangeOrder

    /// An answer to an earlier acceptance, or a late or repeated one, changes nothing. A deposit that is locked after
    /// its window puts the order back on the board, as the window's deadline would; the wallet learns of that and gives
    /// the deposit back.
    ///
    /// - Parameter provider: the deposit's owner, where the trigger does not name the acceptance. News about a former
    ///   provider's deposit is ignored.
    /// - Throws: `PoisonMessage` if the order does not exist.
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
