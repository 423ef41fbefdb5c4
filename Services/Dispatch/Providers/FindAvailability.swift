import Contracts
import Foundation
import Matching
import Postgres
import ServiceKit

/// Finds out whether a provider is available, since when, and the last position.
struct FindAvailability: Sendable {
    struct Answer: Sendable {
        let since: Date?
        let last: Fix?
        /// Whether the provider holds an order.
        let isHeld: Bool
        let isVerified: Bool
        /// Whether the provider has prices, or has a title for which the platform searches.
        let hasPrices: Bool
        /// The end of the running subscription.
        let subscribedUntil: Date?
    }

    let pool: PostgresPool

    /// - Throws: 409 ``Problem`` when dispatch does not know the provider.
    func callAsFunction(_ provider: UUID, in market: Market, _ prices: PriceCurrency) async throws -> Answer {
        let (roles, fixes, held, offerings, subscriptions) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                FindProviderRole(market: market.id, account: provider), FindLastPosition(provider: provider),
                IsProviderHeld(provider: provider),
                ListOfferings(market: market.id, account: provider, currency: prices),
                FindRunningSubscription(market: market.id, account: provider))
        }
        guard let role = roles.first else { throw Problem.providerNotKnown }
        return Answer(
            since: role.isAvailable ? role.availableSince : nil, last: fixes.first, isHeld: held.first ?? false,
            isVerified: role.isVerified, hasPrices: !offerings.isEmpty || market.isSearchedFor(title: role.title),
            subscribedUntil: subscriptions.first)
    }
}
