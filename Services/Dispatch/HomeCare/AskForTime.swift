import Foundation
import Postgres

/// The partner asks the market's admins for another time. They set it or do not; the order goes on as it is.
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
