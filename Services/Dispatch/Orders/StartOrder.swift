import Foundation
import Postgres

/// Starts the work: the owner hands over the parcel, the partner begins the visit, the driver has the rider in the car,
/// the restaurant hands the meal to the order's courier.
struct StartOrder: Sendable {
    /// Maximum number of code attempts of a driver or restaurant.
    static let maximumTries = 10

    /// The code is wrong or missing.
    struct WrongCode: Error, Equatable {
        /// Whether it is the courier's code for a meal, instead of the rider's.
        var isCouriers = false
    }
    struct TooManyTries: Error, Equatable {}

    let change: ChangeOrder
    let presence: Presence

    /// - Parameter code: the code that the rider told the driver, or the courier the restaurant.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``WrongCode`` where the order has a code, ``Presence/NotAtPlace``
    func callAsFunction(
        _ order: UUID, by account: UUID, code: String? = nil, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            // Checks the code only in states that allow the start; in other states the workflow's refusal is the answer.
            let isDue = actor == .provider && order.state == .arrived
            if isDue, let needed = order.ride?.startCode, needed != code { throw WrongCode() }
            let isFetched = actor == .merchant && [.accepted, .arrived].contains(order.state)
            if isFetched, let needed = order.food?.handOverCode, needed != code { throw WrongCode(isCouriers: true) }
            try await presence.require(.start, order, by: actor, change, at: now, in: transaction)
            return .start
        }
    }

    /// Counts an attempt before its code is checked, whatever the result.
    ///
    /// - Parameter request: stands for the request's key and input (``IdempotencyStore/mark(of:)``).
    /// - Throws: ``TooManyTries``
    func count(_ order: UUID, by account: UUID, request: [UInt8], in pool: PostgresPool) async throws {
        let tries = try await pool.first(CountStartTry(order: order, account: account, request: request)) ?? 0
        if tries > Self.maximumTries { throw TooManyTries() }
    }
}
