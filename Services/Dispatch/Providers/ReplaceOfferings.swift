import Contracts
import Foundation
import Postgres
import ServiceKit

/// Replaces a provider's offerings (C2). A provider without offerings becomes unavailable, unless the platform searches
/// for the title.
struct ReplaceOfferings: Sendable {
    let pool: PostgresPool

    /// - Parameter currency: the currency of the prices (ISO 4217).
    /// - Throws: 409 ``Problem`` if dispatch does not know the provider, 422 for services that do not exist, that the
    ///   title does not allow, or that are repeated.
    func callAsFunction(
        _ offerings: [Offering], of provider: UUID, in market: Market, _ currency: String
    ) async throws {
        try await pool.withTransaction { transaction in
            guard
                let role = try await transaction.first(LockProviderRole(market: market.id, account: provider))
            else { throw Problem.providerNotKnown }
            let faults = OfferingRules(market, title: role.title).faults(of: offerings)
            guard faults.isEmpty else { throw Problem.wrongOfferings(faults) }
            let services = offerings.map(\.service)
            transaction.send(RemoveOtherOfferings(market: market.id, account: provider, services: services))
            transaction.send(
                StoreOfferings(market: market.id, account: provider, offerings: offerings, currency: currency))
            if !market.isSearchedFor(title: role.title) {
                transaction.send(StopWithoutOfferings(market: market.id, account: provider))
            }
        }
    }
}
