import Contracts
import Foundation
import Messaging
import Postgres

/// Publishes accounts and links again as they are now. Deleted accounts have no row, and unconfirmed ones are unknown
/// to other services.
enum RepublishPeople {
    static let accountsAtOnce = 100
    static let linksAtOnce = 200

    static func kinds(clock: @escaping @Sendable () -> Date) -> [RepublishedKind] {
        [
            RepublishedKind("accounts") { place, transaction in
                try await accounts(place, at: clock(), in: transaction)
            },
            RepublishedKind("links") { place, transaction in try await links(place, in: transaction) },
        ]
    }

    /// Roles and bans are read after the account's row, so they are as new or newer. A newer change is also published
    /// as an event with a greater version.
    private static func accounts(
        _ place: RepublishedKind.Place, at now: Date, in transaction: PostgresTransaction
    ) async throws -> RepublishedKind.Part {
        let rows = try await transaction.query(
            ListAccountsToTell(after: place.after, limit: accountsAtOnce))
        let ids = rows.map(\.account.id)
        let (roles, bans) = try await transaction.queryAll(
            ListRolesOfAccounts(accounts: ids), ListBansOfAccounts(accounts: ids))
        let rolesOf = Dictionary(grouping: roles, by: \.account)
        let bansOf = Dictionary(grouping: bans, by: \.account)
        let told = rows.map { row, registeredAt in
            let bans = bansOf[row.id] ?? []
            let account = row.account(roles: (rolesOf[row.id] ?? []).compactMap(\.role), bans: bans.map(\.ban))
            return AccountsTold.Told(
                account: AccountSnapshot(account, at: now), registeredAt: registeredAt,
                bans: bans.filter { $0.ban.holds(at: now) }.map { line in
                    AccountsTold.Ban(market: line.ban.market, until: line.ban.until, at: line.bannedAt)
                })
        }
        let part = RepublishedKind.Part(ids, limit: accountsAtOnce)
        try transaction.publish(AccountsTold(range: ToldRange(place, part), accounts: told))
        return part
    }

    private static func links(
        _ place: RepublishedKind.Place, in transaction: PostgresTransaction
    ) async throws -> RepublishedKind.Part {
        let links = try await transaction.query(ListLinksToTell(after: place.after, limit: linksAtOnce))
        let part = RepublishedKind.Part(links.map(\.link), limit: linksAtOnce)
        try transaction.publish(LinksTold(range: ToldRange(place, part), links: links))
        return part
    }
}
