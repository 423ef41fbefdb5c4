import Contracts
import Foundation
import Postgres

/// The provider takes the order, alone or with one companion, and has to hold no other order; a merchant takes it and
/// prepares it.
struct AcceptOrder: Sendable {
    /// The market has withdrawn its word for the provider since the request.
    struct NotVerified: Error, Equatable {}
    /// A merchant promises it later than the market allows.
    struct TooLong: Error, Equatable { let maximumMinutes: Int }

    /// What is said along with it.
    struct Input: Sendable {
        /// The full name.
        var companion: String?
        /// Of a merchant: until it is ready; nil is as long as usual.
        var minutes: Int?
        /// Of the order as the provider saw it; nil accepts it as it is.
        var version: Int?
    }

    /// The order is another one than the provider saw: its time was changed meanwhile.
    struct Changed: Error, Equatable { let version: Int }

    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``NotVerified``, ``TooLong``, ``Changed``
    func callAsFunction(
        _ order: UUID, by account: UUID, _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let trigger = OrderTrigger.accept(companion: input.companion, minutes: input.minutes)
        do {
            return try await change(trigger, of: order, by: account, at: now, in: transaction) {
                try check(input, $0, account)
            }
        } catch let error as OrderNotFound {
            // Who was asked, and answers after it was passed on, is told so.
            let state = try await transaction.first(FindOfferedState(order: order, provider: account))
            throw state.flatMap(OrderState.init).map { OrderRefusal.wrongState($0) } ?? error
        }
    }

    private func check(_ input: Input, _ details: OrderDetails, _ account: UUID) throws {
        let role = details.order.role(of: account)
        if role == .provider {
            if !details.isProviderVerified { throw NotVerified() }
            if let version = input.version, version != details.order.version {
                throw Changed(version: details.order.version)
            }
        }
        if role == .merchant, let minutes = input.minutes {
            let maximum = try change.terms(of: details.order).settings.preparationWindowSeconds / 60
            if minutes > maximum { throw TooLong(maximumMinutes: maximum) }
        }
    }
}
