import Foundation
import Postgres

/// A ride ends before its destination. It costs what was driven since the start, by the tariff and the surge of its quote, and
/// never more than was quoted (C7).
///
/// By its driver it has ended, and its price is known. By its rider it is asked for: the driver's "done" is the last word, or the
/// window's, and the way until then counts, so that nobody is driven for nothing after saying so. The driver who is of another
/// opinion reports the order instead: then its whole price waits for an admin's decision.
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

/// What a ride that ends early costs, by its odometer and its time.
struct RideCost: Sendable {
    /// - Returns: minor units, and how far it went; the price that was quoted of an order that is no ride.
    func callAsFunction(
        of order: Order, until end: Date, in transaction: PostgresTransaction
    ) async throws -> (cost: Int, metres: Int) {
        guard let ride = order.ride else { return (order.total, 0) }
        let driven = try await transaction.first(ReadRideOdometer(order: order.id))
        // Nobody pays for the time in which a driver has forgotten to say that the rider got out: it ends with the rider's word, or
        // with the last metres behind that.
        var last = end
        if let asked = ride.endAskedAt { last = min(end, max(asked, driven?.at ?? asked)) }
        let seconds = last.timeIntervalSince(order.arrivedAt ?? last)
        let metres = Int((driven?.metres ?? 0).rounded())
        let cost = ride.cost(metres: metres, seconds: Int(max(0, seconds).rounded()), quoted: order.total)
        return (cost, metres)
    }
}
