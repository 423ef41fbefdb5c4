import Contracts
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
        guard isOfUse else { return }
        switch trigger {
        case .paymentCaptured(let news):
            if let sold = news.sold { try returned(order.soldAmount - sold, of: order, at: now, in: transaction) }
            guard let earned = news.earned, let provider = order.provider else { return }
            OrderSums.of(transaction).add(
                AddEarnings.Earned(
                    market: order.market, account: provider.account, kind: order.kind, currency: order.currency,
                    amount: earned))
        // It was sold when it was completed, and is not paid.
        case .paymentReleased where order.state == .completed:
            try returned(order.soldAmount, of: order, at: now, in: transaction)
        default: break
        }
    }

    /// What the customer does not pay of what the restaurant sold.
    private func returned(
        _ amount: Int, of order: Order, at now: Date, in transaction: PostgresTransaction
    ) throws {
        guard amount > 0 else { return }
        transaction.returned(amount, of: order, try change.terms(of: order).settings, at: now)
    }
}

extension Order {
    /// What its dishes cost, by the menu: minor units.
    var soldAmount: Int { food.map { $0.items.reduce(0) { $0 + $1.count * $1.price } } ?? 0 }
}

extension PostgresTransaction {
    /// A customer got back so much of what a restaurant sold; it counts on the day of the sale.
    func returned(_ amount: Int, of order: Order, _ settings: MarketSettings, at now: Date) {
        guard let food = order.food else { return }
        guard let day = ZonedClock(settings.timeZone)?.wall(at: order.ending?.at ?? now).day else { return }
        OrderSums.of(self).add(
            AddReturns.Return(restaurant: food.restaurant, day: day, currency: order.currency, amount: amount))
    }
}
