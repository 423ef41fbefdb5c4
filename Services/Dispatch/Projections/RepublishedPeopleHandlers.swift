import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Stores identity's republished snapshots of people and links. They have no consequences: no order, series or wait
/// ends, and no provider is switched off on purpose.
enum RepublishedPeopleHandlers {
    static func register(in handlers: inout MessageHandlers, _ markets: LiveMarkets) {
        handlers.on(AccountsTold.self, sharesTransaction: false) {
            try await accounts($0.message, in: markets.named, $1)
        }
        handlers.on(LinksTold.self, sharesTransaction: false) { try await links($0.message, $1) }
    }

    static func accounts(
        _ told: AccountsTold, in markets: (String) -> Market? = Market.named, _ transaction: PostgresTransaction
    ) async throws {
        for one in told.accounts {
            let person = one.account
            let news = try await transaction.first(
                UpsertRepublishedPerson(
                    account: person.account, version: person.version, name: person.name,
                    searchName: SearchName.folded(person.name), gender: person.gender?.rawValue,
                    language: person.language, avatar: person.avatar))
            guard news != nil else { continue }
            let roles = person.roles.filter { $0.role == "provider" }
            if !roles.isEmpty { transaction.send(InsertProvider(account: person.account)) }
            for role in roles {
                PeopleProjection.keep(role, of: person.account, in: markets(role.market), transaction)
            }
            let customer = Set(person.roles.filter { $0.role == "customer" }.map(\.market)).sorted()
            transaction.send(StoreCustomerRoles(account: person.account, markets: customer))
            transaction.send(
                CloseLostRoles(account: person.account, kept: roles, now: told.range.readAt))
        }
        transaction.send(UpsertRepublishedBans(told: told))
        transaction.send(LiftStaleBans(told: told))
        transaction.send(DeleteStalePeople(told: told))
        transaction.send(DropStrayCustomerRoles(range: told.range))
    }

    static func links(_ told: LinksTold, _ transaction: PostgresTransaction) async throws {
        // Locks these people against deletion until the commit.
        _ = try await transaction.query(SharePeople(accounts: told.links.flatMap { [$0.from, $0.to] }))
        transaction.send(UpsertRepublishedLinks(told: told))
        transaction.send(RemoveStaleLinks(told: told))
    }
}
