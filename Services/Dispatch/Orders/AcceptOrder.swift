import Contracts
import Foundation
import Postgres

/// Accepts an order. A provider, alone or with one companion, must hold no other order; a merchant accepts and prepares
/// it.
struct AcceptOrder: Sendable {
    /// The provider's verification was withdrawn since the request.
    struct NotVerified: Error, Equatable {}
    /// The merchant needs more minutes than the market allows.
    struct TooLong: Error, Equatable { let maximumMinutes: Int }

    /// Data of an acceptance.
    struct Input: Sendable {
        /// Full name.
        var companion: String?
        /// Minutes until a merchant's order is ready; nil means the usual time.
        var minutes: Int?
        /// Version of the order that the provider saw; nil accepts any version.
        var version: Int?
    }

    /// The order changed since the provider saw it, for example its time.
    struct Changed: Error, Equatable { let version: Int }

    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``NotVerified``, ``TooLong``, ``Changed``,
    ///   ``ManageOrder/Refusal`` for a care visit that would not be within the market's hours
    func callAsFunction(
        _ order: UUID, by account: UUID, _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let trigger = OrderTrigger.accept(companion: input.companion, minutes: input.minutes)
        do {
            return try await change(trigger, of: order, by: account, at: now, in: transaction) {
                try check(input, $0, account, at: now)
            }
        } catch let error as OrderNotFound {
            // A provider who answers after the offer has passed on gets the order's state instead of a 404.
            let state = try await transaction.first(FindOfferedState(order: order, provider: account))
            throw state.flatMap(OrderState.init).map { OrderRefusal.wrongState($0) } ?? error
        }
    }

    private func check(_ input: Input, _ details: OrderDetails, _ account: UUID, at now: Date) throws {
        let role = details.order.role(of: account)
        if role == .provider, details.order.homeCare != nil {
            try change.requireCareHours(
                of: details.order, from: details.order.scheduledAt ?? details.order.requestedAt, at: now)
        }
        if role == .provider {
            if !details.isProviderVerified { throw NotVerified() }
            if let version = input.version, version != details.order.version {
                throw Changed(version: details.order.version)
            }
        }
        // The restaurant's usual time is used where it names none, and is held to the same limit.
        if role == .merchant, let minutes = input.minutes ?? details.order.food?.preparationMinutes {
            let maximum = try change.terms(of: details.order).settings.preparationWindowSeconds / 60
            if minutes > maximum { throw TooLong(maximumMinutes: maximum) }
        }
    }
}
