import Foundation
import Postgres

/// Asks the market's admins for another time. The order is unchanged until they set one.
struct AskForTime: Sendable {
    struct Past: Error, Equatable {}

    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Past``
    func callAsFunction(
        _ order: UUID, by account: UUID, time: Date, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        guard time > now else { throw Past() }
        return try await change(.askForTime(time), of: order, by: account, at: now, in: transaction)
    }
}
