import Contracts
import Foundation
import LiveMarkets
import Postgres
import ServiceKit

/// Switches a provider on or off (C4).
struct SwitchAvailability: Sendable {
    let pool: PostgresPool
    let markets: LiveMarkets

    /// - Returns: since when the provider is available; nil when not.
    /// - Throws: 409 ``Problem`` when dispatch does not know the provider, ``Problem/banned``, and
    ///   ``AvailabilityRefusal``.
    func callAsFunction(_ isAvailable: Bool, _ provider: UUID, in market: String) async throws -> Date? {
        guard let known = Market.named(market), let settings = markets.settings(of: market) else {
            throw Problem.notFound
        }
        return try await pool.withTransaction { transaction in
            // The list is read after the lock has been taken, so that nobody can take the last offering away between.
            let (roles, offerings, banned) = try await transaction.queryAll(
                LockProviderRole(market: market, account: provider),
                ListOfferings(market: market, account: provider, currency: settings.prices(in: known)),
                FindBanned(accounts: [provider], market: market))
            guard let role = roles.first else { throw Problem.providerNotKnown }
            guard !isAvailable || banned.isEmpty else { throw Problem.banned }
            try AvailabilityRule.check(
                wanted: isAvailable, isVerified: role.isVerified, offerings: offerings.count,
                doesByTitle: known.isSearchedFor(title: role.title))
            // Phones say it again and again, to set their place.
            if role.isAvailable == isAvailable, (role.availableSince != nil) == isAvailable {
                return role.availableSince
            }
            let set = SetAvailability(market: market, account: provider, isAvailable: isAvailable)
            return try await transaction.first(set) ?? nil
        }
    }
}
