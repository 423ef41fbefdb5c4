import Foundation
import Postgres

/// Ends a ride before its destination. It costs the driven part, by the quote's tariff and surge, and never more than
/// the quote (C7).
///
/// From the driver, the ride has ended and its price is known. From the rider, it is a request: the ride ends with the
/// driver's "done" or the end of the window, and the way until then counts, so that nobody is driven for nothing after
/// the request. A driver who disagrees reports the order instead; the whole price then waits for an admin's decision.
struct EndRideEarly: Sendable {
    let change: ChangeOrder
    let cost = RideCost()

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, _ in
            .endEarly(cost: try await cost(of: order, until: now, in: transaction).cost)
        }
    }
}

/// Price of a ride that ends early, by its odometer and duration.
struct RideCost: Sendable {
    /// - Returns: minor units and metres; for an order that is no ride, its total and zero.
    func callAsFunction(
        of order: Order, until end: Date, in transaction: PostgresTransaction
    ) async throws -> (cost: Int, metres: Int) {
        guard let ride = order.ride else { return (order.total, 0) }
        let driven = try await transaction.first(ReadRideOdometer(order: order.id))
        // The time ends with the rider's request, or with the last metres after it, so that the rider does not pay for
        // a driver who forgets to confirm.
        var last = end
        if let asked = ride.endAskedAt { last = min(end, max(asked, driven?.at ?? asked)) }
        let seconds = last.timeIntervalSince(order.arrivedAt ?? last)
        let metres = Int((driven?.metres ?? 0).rounded())
        let cost = ride.cost(metres: metres, seconds: Int(max(0, seconds).rounded()), quoted: order.total)
        return (cost, metres)
    }
}
