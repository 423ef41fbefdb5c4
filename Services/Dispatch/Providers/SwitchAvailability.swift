import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Switches a provider on or off (C4). A provider without the subscription that the market asks for is told that nobody
/// sees him or her (C8).
struct SwitchAvailability: Sendable {
    let pool: PostgresPool
    let markets: LiveMarkets

    /// - Returns: the start of the availability; nil if the provider is not available.
    /// - Throws: 409 ``Problem`` if dispatch does not know the provider, ``Problem/banned``, and
    ///   ``AvailabilityRefusal``.
    func callAsFunction(
        _ isAvailable: Bool, _ provider: UUID, in market: String, at now: Date
    ) async throws -> Date? {
        guard let known = markets.named(market), let settings = markets.settings(of: market) else {
            throw Problem.notFound
        }
        return try await pool.withTransaction { transaction in
            // The offerings are read after the role is locked, so that no other transaction removes the last one in
            // between.
            let (roles, offerings, banned) = try await transaction.queryAll(
                LockProviderRole(market: market, account: provider),
                ListOfferings(market: market, account: provider, currency: settings.prices(in: known)),
                FindBanned(accounts: [provider], market: market))
            guard let role = roles.first else { throw Problem.providerNotKnown }
            guard !isAvailable || banned.isEmpty else { throw Problem.banned }
            try AvailabilityRule.check(
                wanted: isAvailable, isVerified: role.isVerified, offerings: offerings.count,
                doesByTitle: known.isSearchedFor(title: role.title))
            // Phones repeat the request to report their place.
            if role.isAvailable == isAvailable, (role.availableSince != nil) == isAvailable {
                return role.availableSince
            }
            let set = SetAvailability(market: market, account: provider, isAvailable: isAvailable)
            let since = try await transaction.first(set) ?? nil
            if isAvailable, settings.subscriptionRequired,
                try await transaction.first(FindRunningSubscription(market: market, account: provider)) == nil
            {
                try transaction.publish(
                    ProviderUnseen(
                        account: provider, market: market, reason: UnseenReason.notSubscribed.rawValue,
                        at: now.cutToMillisecond))
            }
            return since
        }
    }
}
