import Contracts
import Foundation
import Postgres

/// The provider has arrived, has waited as long as the market asks, and the customer is not there. The order ends, and the
/// customer pays for the way.
struct MissCustomer: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, _ in
            let settings = try change.terms(of: order).settings
            let metres = try await transaction.first(ReadOdometer(order: order.id)) ?? 0
            return .missCustomer(
                fine: WayFine(
                    metres: metres, perKilometre: settings.finePerKilometre, fee: settings.fee(of: order),
                    price: order.total))
        }
    }
}
