import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// An admin has given back a part of what an order has cost. Who funds it has earned, or sold, so much less.
struct RecordRefund: Sendable {
    let markets: LiveMarkets

    /// What the platform funds changes no sum. Nor does what is given back of the fine of an order that was not done: fines are
    /// no earnings. An order that retention has removed is passed over.
    func callAsFunction(_ refunded: PaymentRefunded, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let funder = refunded.funder, refunded.amount.amount > 0,
            let order = try await transaction.first(FindOrder(order: refunded.order))?.details().order,
            order.market == refunded.market, order.currency == refunded.amount.currency
        else { return }
        // Before the decision about a report is heard it is disputed still.
        guard order.state == .completed || !order.state.isFinal else { return }
        switch refunded.fundedBy {
        case .platform: return
        case .provider:
            OrderSums.of(transaction).add(
                AddReturnedEarnings.Returned(
                    market: order.market, account: funder, kind: order.kind, currency: order.currency,
                    amount: refunded.amount.amount))
        case .merchant:
            guard let settings = markets.settings(of: order.market) else { return }
            transaction.returned(refunded.amount.amount, of: order, settings, at: now)
        }
    }
}
