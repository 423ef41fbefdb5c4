import Contracts
import Foundation
import Postgres
import ServiceKit

/// Makes these the services that a provider does, and takes away all others (C2). Who does nothing any more is no longer
/// available.
struct ReplaceOfferings: Sendable {
    let pool: PostgresPool

    /// - Parameter currency: of the prices; ISO 4217.
    /// - Throws: 409 ``Problem`` when dispatch does not know the provider, 422 for services that are none, not for the
    ///   provider's title, or given twice.
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
