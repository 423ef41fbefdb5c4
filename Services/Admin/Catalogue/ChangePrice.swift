import Contracts
import Foundation
import Messaging
import Postgres

/// Changes the price of a service where the market sets it: the setting `servicePrices`, together with the entry.
struct ChangePrice: Sendable {
    let change: ChangeCatalogue

    init(_ change: ChangeCatalogue) { self.change = change }

    /// Whether the price would become another. Locks the market.
    func changes(_ price: Int?, of key: CatalogueEntry.Key, in transaction: PostgresTransaction) async throws -> Bool {
        try await pending(price, of: key, in: transaction) != nil
    }

    /// Sets the price; nil leaves it.
    func callAsFunction(
        _ price: Int?, of key: CatalogueEntry.Key, in transaction: PostgresTransaction
    ) async throws {
        guard let (settings, price, version) = try await pending(price, of: key, in: transaction) else { return }
        var changed = settings
        changed.servicePrices[key.id] = price
        let after = changed.text(of: .servicePrices)
        try ChangeSetting.store(
            after, settings.text(of: .servicePrices),
            ChangeSetting.Request(
                market: change.market, key: .servicePrices, value: after, expectedVersion: nil, admin: change.admin,
                at: change.at),
            version: version + 1, in: transaction)
    }

    private func pending(
        _ price: Int?, of key: CatalogueEntry.Key, in transaction: PostgresTransaction
    ) async throws -> (settings: MarketSettings, price: Int, version: Int)? {
        guard key.section == .services, let price, !change.market.defaults.servicePrices.isEmpty else { return nil }
        let (versions, rows) = try await transaction.queryAll(
            LockMarketVersion(market: change.market.id), ListSettings(market: change.market.id))
        let settings = EffectiveSettings(change.market, rows).settings
        guard settings.servicePrices[key.id] != price else { return nil }
        return (settings, price, versions.first ?? 0)
    }
}
