import Foundation
import Postgres

/// The work begins: the owner says that the parcel was picked up, the partner that the visit begins, the driver that
/// the rider is in the car.
struct StartOrder: Sendable {
    /// How often a driver may try a code.
    static let maximumTries = 10

    /// The rider's code is another one, or was not given.
    struct WrongCode: Error, Equatable {}
    struct TooManyTries: Error, Equatable {}

    let change: ChangeOrder

    /// - Parameter code: what the rider told the driver.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``WrongCode`` where the order has a code.
    func callAsFunction(
        _ order: UUID, by account: UUID, code: String? = nil, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            // The order's state is told first; a code is nobody's business before.
            let isDue = actor == .provider && order.state == .arrived
            if isDue, let needed = order.ride?.startCode, needed != code { throw WrongCode() }
            return .start
        }
    }

    /// Counts a try, whatever comes of it.
    ///
    /// - Throws: ``TooManyTries``
    func count(_ order: UUID, by account: UUID, in pool: PostgresPool) async throws {
        let tries = try await pool.first(CountStartTry(order: order, provider: account)) ?? 0
        if tries > Self.maximumTries { throw TooManyTries() }
    }
}
