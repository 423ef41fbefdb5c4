import Contracts
import Foundation
import Messaging
import Postgres

/// Applies the wallet's news about an order's payment; a held payment sends the provider on the way.
struct RecordPayment: Sendable {
    let change: ChangeOrder

    /// Late or repeated news, or news of an ended order, changes nothing. A payment that is held after its window ends
    /// the order as the window's deadline would; the wallet learns of that and gives the money back.
    ///
    /// - Throws: `PoisonMessage` if the order does not exist.
    func callAsFunction(
        _ trigger: OrderTrigger, of id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order else { throw PoisonMessage("no such order") }
        // Ends only an order that still waits for its payment.
        if trigger.payment?.neverHeld != nil, order.state.isFinal || order.payment != .none { return }
        let isTooLate = order.isTooLate(for: trigger, at: now)
        let isOfUse = try change.bySystem(
            isTooLate ? .windowOver(.payment) : trigger, to: order, at: now, in: transaction)
        guard isOfUse else { return }
        switch trigger {
        case .paymentCaptured(let news):
            if let sold = news.sold { try returned(order.soldAmount - sold, of: order, at: now, in: transaction) }
            guard let earned = news.earned, let provider = order.provider else { return }
            let settings = try change.terms(of: order).settings
            OrderSums.of(transaction).add(
                AddEarnings.Earned(
                    market: order.market, account: provider.account, kind: order.kind, currency: order.currency,
                    amount: earned, day: order.dayOfEarning(settings, at: now)))
        // The sale was counted at completion, and is now not paid.
        case .paymentReleased where order.state == .completed:
            try returned(order.soldAmount, of: order, at: now, in: transaction)
        default: break
        }
    }

    /// Subtracts the part of the restaurant's sale that the customer does not pay.
    private func returned(
        _ amount: Int, of order: Order, at now: Date, in transaction: PostgresTransaction
    ) throws {
        guard amount > 0 else { return }
        transaction.returned(amount, of: order, try change.terms(of: order).settings, at: now)
    }
}

extension Order {
    /// The day of the market's zone on which the provider has earned; nil for a zone that this machine does not know.
    func dayOfEarning(_ settings: MarketSettings, at now: Date) -> LocalDay? {
        ZonedClock(settings.timeZone)?.wall(at: ending?.at ?? now).day
    }

    /// Price of the dishes by the menu, in minor units.
    var soldAmount: Int { food.map { $0.items.reduce(0) { $0 + $1.count * $1.price } } ?? 0 }
}

extension PostgresTransaction {
    /// Subtracts an amount that the customer got back from the restaurant's sales, on the day of the sale.
    func returned(_ amount: Int, of order: Order, _ settings: MarketSettings, at now: Date) {
        guard let food = order.food else { return }
        guard let day = ZonedClock(settings.timeZone)?.wall(at: order.ending?.at ?? now).day else { return }
        OrderSums.of(self).add(
            AddReturns.Return(restaurant: food.restaurant, day: day, currency: order.currency, amount: amount))
    }
}
