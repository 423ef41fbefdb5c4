import Contracts
import Foundation
import Postgres
import ServiceKit

/// Lists the services that a provider's title allows, each with the provider's price, if it is offered and priced in
/// the market's currency.
struct ListProviderOfferings: Sendable {
    struct Item: Sendable {
        let service: Market.Service
        let price: Int?
    }

    let pool: PostgresPool

    /// - Throws: 409 ``Problem`` when dispatch does not know the provider.
    func callAsFunction(of provider: UUID, in market: Market, _ currency: PriceCurrency) async throws -> [Item] {
        let (roles, offerings) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                FindProviderRole(market: market.id, account: provider),
                ListOfferings(market: market.id, account: provider, currency: currency))
        }
        guard let role = roles.first else { throw Problem.providerNotKnown }
        let prices = Dictionary(offerings.map { ($0.service, $0.price) }) { first, _ in first }
        let allowed = Set(OfferingRules(market, title: role.title).allowed)
        return market.services.filter { allowed.contains($0.id) }.map { Item(service: $0, price: prices[$0.id]) }
    }
}
