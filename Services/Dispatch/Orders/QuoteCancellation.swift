import Contracts
import Foundation
import LiveMarkets
import Postgres

/// Quotes the price of a cancellation at this moment.
struct QuoteCancellation: Sendable {
    struct Answer: Sendable {
        let order: Order
        let quote: CancellationQuote
        /// Minor units.
        let perKilometre: Int
        /// Fixed fee, in minor units.
        let fee: Int
    }

    let pool: PostgresPool
    let markets: LiveMarkets

    /// - Throws: ``OrderNotFound`` for strangers; ``OrderRefusal`` if the caller may not cancel, or not in this state.
    func callAsFunction(_ id: UUID, for account: UUID, at now: Date) async throws -> Answer {
        let (rows, ways) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(FindOrder(order: id), ReadFullOdometer(order: id))
        }
        guard let order = try rows.first?.details().order, let actor = order.role(of: account) else {
            throw OrderNotFound()
        }
        let (workflow, settings) = try ChangeOrder(markets: markets).terms(of: order)
        // Asks the workflow as the cancellation itself would.
        _ = try order.applying(
            .cancel(reason: nil), by: actor, at: now, windows: settings.orderWindows, in: workflow)
        let rates = settings.lateRates(of: order)
        let fine =
            workflow.fines(.cancel, by: actor, in: order.state)
            ? LateCancellationFee(
                metres: order.finedMetres(ofStored: ways.first, logger: nil), rates: rates, price: order.total)
            : .none
        return Answer(
            order: order,
            quote: CancellationQuote(fine: fine, until: now.addingTimeInterval(CancellationQuote.seconds)),
            perKilometre: rates.perKilometre, fee: min(fine.amount, rates.fee))
    }
}
