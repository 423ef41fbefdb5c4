import Contracts
import Foundation
import Postgres

/// The customer does not want the order any more. Free until the provider is on the way; from then on it costs the way made
/// so far and the fee of its kind, which the customer has to have agreed to.
struct CancelOrder: Sendable {
    /// What the customer says along with it.
    struct Input: Sendable {
        var reason: String?
        /// The fine that the customer agreed to.
        var accepted: Money?
        /// What the customer was shown, if that is known for sure.
        var quote: CancellationQuote?
    }

    /// It costs more than the customer agreed to. Nothing has changed.
    struct FineNotAccepted: Error, Equatable {
        let fine: WayFine
        let currency: String
        /// Whether the customer agreed to anything.
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
            let way = try await transaction.first(ReadWay(order: order.id))
            let fine = WayFine(
                metres: order.finedMetres(of: way), rates: settings.lateRates(of: order), price: order.total)
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
    /// What letting the provider come for nothing costs, in the order's currency; a fee is only of what is searched for and
    /// driven.
    func lateRates(of order: Order) -> LateRates {
        var rates = lateRates(in: order.currency)
        if ![Workflow.ride.kind, Workflow.bikeDropOff.kind].contains(order.kind) { rates.fee = 0 }
        return rates
    }
}

extension WayFine {
    /// See ``init(metres:perKilometre:fee:price:)``.
    init(metres: Double, rates: MarketSettings.LateRates, price: Int) {
        self.init(metres: metres, perKilometre: rates.perKilometre, fee: rates.fee, price: price)
    }
}
