import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Records an admin's refund: the earnings or sales of the account that funds it are reduced.
struct RecordRefund: Sendable {
    let markets: LiveMarkets

    /// A refund by the platform changes no sum. Neither does the refund of a fine of an order that was not done: fines
    /// are no earnings. An order that retention has removed is ignored.
    func callAsFunction(_ refunded: PaymentRefunded, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let funder = refunded.funder, refunded.amount.amount > 0,
            let order = try await transaction.first(FindOrder(order: refunded.order))?.details().order,
            order.market == refunded.market, order.currency == refunded.amount.currency
        else { return }
        // The order is still disputed if the refund arrives before the decision.
        guard order.state == .completed || !order.state.isFinal else { return }
        let day = markets.settings(of: order.market).flatMap { order.dayOfEarning($0, at: now) }
        switch refunded.fundedBy {
        case .platform: return
        case .provider:
            OrderSums.of(transaction).add(
                AddReturnedEarnings.Returned(
                    market: order.market, account: funder, kind: order.kind, currency: order.currency,
                    amount: refunded.amount.amount, day: day))
        case .merchant:
            guard let settings = markets.settings(of: order.market) else { return }
            transaction.returned(refunded.amount.amount, of: order, settings, at: now)
        }
    }
}
