import Foundation
import Postgres

/// The provider takes the order, alone or with one companion. Needs to hold no other order.
struct AcceptOrder: Sendable {
    /// The market has withdrawn its word for the provider since the request.
    struct NotVerified: Error, Equatable {}

    /// The order is another one than the provider saw: its time was changed meanwhile.
    struct Changed: Error, Equatable { let version: Int }

    let change: ChangeOrder

    /// - Parameters:
    ///   - companion: the full name.
    ///   - version: of the order as the provider saw it; nil accepts it as it is.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``NotVerified``, ``Changed``
    func callAsFunction(
        _ order: UUID, by account: UUID, companion: String?, seeing version: Int? = nil, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        do {
            return try await change(.accept(companion: companion), of: order, by: account, at: now, in: transaction) {
                let isProvider = $0.order.role(of: account) == .provider
                if isProvider, !$0.isProviderVerified { throw NotVerified() }
                guard let version, isProvider else { return }
                if $0.order.version != version { throw Changed(version: $0.order.version) }
            }
        } catch let error as OrderNotFound {
            // Who was asked, and answers after it was passed on, is told so.
            let state = try await transaction.first(FindOfferedState(order: order, provider: account))
            throw state.flatMap(OrderState.init).map { OrderRefusal.wrongState($0) } ?? error
        }
    }
}
