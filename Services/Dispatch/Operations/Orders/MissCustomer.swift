import Contracts
import Foundation
import Postgres

/// One party is there, has waited as long as the market asks, and the other is not. The order ends; where the workflow says so,
/// a customer who was not there pays for the way.
struct MissCustomer: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            if actor == .customer { return .missProvider }
            let (workflow, settings) = try change.terms(of: order)
            guard workflow.fines(.missCustomer, by: actor, in: order.state) else { return .missCustomer(fine: .none) }
            let metres = try await transaction.first(ReadOdometer(order: order.id)) ?? 0
            return .missCustomer(
                fine: WayFine(metres: metres, rates: settings.lateRates(of: order), price: order.total))
        }
    }
}
