import Foundation
import Messaging
import Postgres

/// The wallet has told of the order's payment: once it is held, the provider goes on the way.
struct RecordPayment: Sendable {
    let change: ChangeOrder

    /// What comes late, twice, or after the order has ended changes nothing; but a payment that is held when its window
    /// is over ends the order as the window's deadline would have. The wallet hears of that, and gives the money back.
    ///
    /// - Throws: `PoisonMessage` when there never was such an order.
    func callAsFunction(
        _ trigger: OrderTrigger, of id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order else { throw PoisonMessage("no such order") }
        // What was never held ends an order that waits for it, and is nothing new to any other.
        if trigger.payment?.neverHeld != nil, order.state.isFinal || order.payment != .none { return }
        let isTooLate = order.isTooLate(for: trigger, at: now)
        let isOfUse = try change.bySystem(
            isTooLate ? .windowOver(.payment) : trigger, to: order, at: now, in: transaction)
        guard isOfUse, case .paymentCaptured(let news) = trigger, let earned = news.earned else { return }
        guard let provider = order.provider else { return }
        OrderSums.of(transaction).add(
            AddEarnings.Earned(
                market: order.market, account: provider.account, kind: order.kind, currency: order.currency,
                amount: earned))
    }
}
