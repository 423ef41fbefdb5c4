import Contracts
import Foundation
import Postgres

/// Cancels an order for its customer. Free until the provider is on the way; from then on it costs the provider's way
/// so far and the fee of the kind, and the customer must have agreed to that.
struct CancelOrder: Sendable {
    /// Data of a cancellation.
    struct Input: Sendable {
        var reason: String?
        /// The fine that the customer agreed to.
        var accepted: Money?
        /// The quote that the customer was shown, if its seal proves it.
        var quote: CancellationQuote?
    }

    /// The cancellation costs more than the customer agreed to. The order is unchanged.
    struct FineNotAccepted: Error, Equatable {
        let fine: LateCancellationFee
        let currency: String
        /// Whether the customer had agreed to an amount.
        let hasGrown: Bool
    }

    /// The customer agreed to an amount in another currency than the order's.
    struct OtherCurrency: Error, Equatable { let currency: String }

    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``FineNotAccepted``, ``OtherCurrency``
    func callAsFunction(
        _ order: UUID, by account: UUID, _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            if let accepted = input.accepted, accepted.currency != order.currency {
                throw OtherCurrency(currency: order.currency)
            }
            let (workflow, settings) = try change.terms(of: order)
            guard workflow.fines(.cancel, by: actor, in: order.state) else { return .cancel(reason: input.reason) }
            let way = try await transaction.first(ReadFullOdometer(order: order.id))
            let fine = LateCancellationFee(
                metres: order.finedMetres(ofStored: way, logger: change.logger),
                rates: settings.lateRates(of: order), price: order.total)
            guard
                let binding = CancellationQuote.binding(
                    fine, accepted: input.accepted?.amount, quote: input.quote, at: now)
            else {
                throw FineNotAccepted(fine: fine, currency: order.currency, hasGrown: input.accepted != nil)
            }
            return .cancel(reason: input.reason, fine: binding)
        }
    }
}

extension MarketSettings {
    /// Rates of the fine for a late cancellation or a no-show, in the order's currency. Only rides and delivered bikes
    /// have a fixed fee.
    func lateRates(of order: Order) -> LateRates {
        var rates = lateRates(in: order.currency)
        if ![Workflow.ride.kind, Workflow.bikeDropOff.kind].contains(order.kind) { rates.fee = 0 }
        return rates
    }
}

extension LateCancellationFee {
    /// See ``init(metres:perKilometre:fee:price:)``.
    init(metres: Double, rates: MarketSettings.LateRates, price: Int) {
        self.init(metres: metres, perKilometre: rates.perKilometre, fee: rates.fee, price: price)
    }
}
