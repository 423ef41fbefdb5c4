import Foundation
import Postgres

/// The work begins: the owner says that the parcel was picked up, the partner that the visit begins, the driver that the
/// rider is in the car, the restaurant that it has handed the meal to the order's courier.
struct StartOrder: Sendable {
    /// How often a driver, or a restaurant, may try a code.
    static let maximumTries = 10

    /// The other's code is another one, or was not given.
    struct WrongCode: Error, Equatable {
        /// Of a meal.
        var isCouriers = false
    }
    struct TooManyTries: Error, Equatable {}

    let change: ChangeOrder
    let presence: Presence

    /// - Parameter code: what the rider told the driver, or the courier the restaurant.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``WrongCode`` where the order has a code, ``Presence/NotThere``
    func callAsFunction(
        _ order: UUID, by account: UUID, code: String? = nil, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            // The order's state is told first; a code is nobody's business before.
            let isDue = actor == .provider && order.state == .arrived
            if isDue, let needed = order.ride?.startCode, needed != code { throw WrongCode() }
            let isFetched = actor == .merchant && [.accepted, .arrived].contains(order.state)
            if isFetched, let needed = order.food?.handOverCode, needed != code { throw WrongCode(isCouriers: true) }
            try await presence.require(.start, order, by: actor, change, at: now, in: transaction)
            return .start
        }
    }

    /// Counts a try, whatever comes of it.
    ///
    /// - Throws: ``TooManyTries``
    func count(_ order: UUID, by account: UUID, in pool: PostgresPool) async throws {
        let tries = try await pool.first(CountStartTry(order: order, account: account)) ?? 0
        if tries > Self.maximumTries { throw TooManyTries() }
    }
}
