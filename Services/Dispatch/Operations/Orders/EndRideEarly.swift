import Foundation
import Postgres

/// A ride ends before its destination, as its driver or its rider says. It costs what was driven since the start, by the tariff
/// and the surge of its quote, and never more than was quoted (C7). The other one confirms, or the window does.
struct EndRideEarly: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, _ in
            let metres = try await transaction.first(ReadOdometer(order: order.id)) ?? 0
            let seconds = now.timeIntervalSince(order.arrivedAt ?? now)
            let cost = order.ride?.cost(
                metres: Int(metres.rounded()), seconds: Int(max(0, seconds).rounded()), quoted: order.total)
            return .endEarly(cost: cost ?? order.total)
        }
    }
}
