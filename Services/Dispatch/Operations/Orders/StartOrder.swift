import Foundation
import Postgres

/// The work begins: the owner says that the parcel was picked up, the partner that the visit begins.
struct StartOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.start, of: order, by: account, at: now, in: transaction)
    }
}
