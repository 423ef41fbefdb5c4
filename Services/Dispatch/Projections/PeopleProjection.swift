import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON

/// Stores people from identity's events: names, customers' markets, and providers' markets, titles and verification.
///
/// Every event has the whole account, so only the newest version is stored; repeated and late events have no effect.
enum PeopleProjection {
    static func register(
        in handlers: inout MessageHandlers, _ markets: LiveMarkets, clock: @escaping @Sendable () -> Date
    ) {
        handlers.on(AccountRegistered.self) { try await keep($0.message.account, in: markets.named, by: clock, $1) }
        handlers.on(AccountChanged.self) { try await keep($0.message.account, in: markets.named, by: clock, $1) }
        handlers.on(ProviderVerified.self) { try await keep($0.message.account, in: markets.named, by: clock, $1) }
        handlers.on(ProviderRejected.self) { try await keep($0.message.account, in: markets.named, by: clock, $1) }
    }

    /// - Parameters:
    ///   - markets: the market with an id.
    ///   - clock: read when the person is stored.
    static func keep(
        _ person: AccountSnapshot, in markets: (String) -> Market? = Market.named, by clock: () -> Date,
        _ transaction: PostgresTransaction
    ) async throws {
        let news = try await transaction.first(
            StorePerson(
                account: person.account, version: person.version, name: person.name,
                searchName: SearchName.folded(person.name), gender: person.gender?.rawValue, language: person.language,
                avatar: person.avatar))
        guard news != nil else { return }
        let roles = person.roles.filter { $0.role == "provider" }
        if !roles.isEmpty { transaction.send(InsertProvider(account: person.account)) }
        for role in roles { keep(role, of: person.account, in: markets(role.market), transaction) }
        let customer = Set(person.roles.filter { $0.role == "customer" }.map(\.market)).sorted()
        let now = clock()
        let left = try await transaction.query(StoreCustomerRoles(account: person.account, markets: customer))
        for market in left { EndSeries.schedule(person.account, in: market, at: now, transaction) }
        let lost = try await transaction.query(
            CloseLostRoles(account: person.account, kept: roles, now: now))
        transaction.send(CloseUnverifiedRestaurants(owner: person.account))
        for market in lost { EndOrdersOfLostRole.schedule(person.account, in: market, at: now, transaction) }
    }

    private static func json(_ car: AccountSnapshot.Car) -> String? {
        // try?: texts can always be written.
        try? JSON.stored.text(car)
    }

    static func keep(
        _ role: AccountSnapshot.Role, of account: UUID, in market: Market?, _ transaction: PostgresTransaction
    ) {
        transaction.send(
            StoreProviderRole(
                market: role.market, account: account, title: role.title, isVerified: role.verified,
                vehicle: role.vehicle, car: role.car.flatMap(Self.json)))
        // If this version of the program does not know the market, its offerings stay unchanged.
        guard let market else { return }
        // A restaurant beside the work has a menu, and no part in the work's prices.
        guard role.title != Restaurant.title else { return }
        // Another title may allow other services. Prices of retired ones stay for the case that they come back.
        let allowed = OfferingRules(all: market, title: role.title).allowed
        transaction.send(RemoveOtherOfferings(market: market.id, account: account, services: allowed))
        if !market.isSearchedFor(title: role.title) {
            transaction.send(StopWithoutOfferings(market: market.id, account: account))
        }
    }
}

extension OfferingRules {
    init(_ market: Market, title: String?) {
        self.init(market.services, title: title)
    }

    /// With the retired services.
    init(all market: Market, title: String?) { self.init(market.allServices, title: title) }

    private init(_ services: [Market.Service], title: String?) {
        self.init(services: services.map { Service(id: $0.id, titles: $0.titles) }, title: title)
    }
}
