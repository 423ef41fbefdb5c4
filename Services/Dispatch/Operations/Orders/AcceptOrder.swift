import Foundation
import Postgres

/// The provider takes the order, alone or with one companion. Needs to hold no other order.
struct AcceptOrder: Sendable {
    /// The market has withdrawn its word for the provider since the request.
    struct NotVerified: Error, Equatable {}

    let change: ChangeOrder

    /// - Parameter companion: the full name.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``NotVerified``
    func callAsFunction(
        _ order: UUID, by account: UUID, companion: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(.accept(companion: companion), of: order, by: account, at: now, in: transaction) { details in
            let isProvider = details.order.role(of: account) == .provider
            if isProvider, !details.isProviderVerified { throw NotVerified() }
        }
    }
}
