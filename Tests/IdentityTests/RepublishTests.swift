import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

private struct Unconfirm: Statement {
    static let sql: SQL = "UPDATE accounts SET confirmed_at = NULL, confirms_by = 'email' WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

@Suite("People who are told again", .timeLimit(.minutes(15)))
struct RepublishTests {
    @Test(
        "P12, I12: accounts are told as their newest events told them, with bans and links; not who is unconfirmed or gone"
    )
    func accounts() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let nurse = try await world.join(Person.provider())
            let (banned, unconfirmed, gone) = (
                try await world.join(Person()), try await world.join(Person()), try await world.join(Person())
            )
            #expect(try await world.verify(nurse.account, by: admin).status == 200)
            let answer = try await world.post(
                "markets/assef/bans",
                ["account": .string(banned.account.text), "reason": "Did not come three times."], token: admin.access)
            #expect(answer.status == 201)
            let now = world.clock.now
            let family = Link(
                id: .timeOrdered(), kind: .family, market: "assef", from: nurse.account, to: banned.account,
                scopes: [.order, .see], state: .confirmed)
            let friends = Link(
                id: .timeOrdered(), kind: .friend, market: nil, from: nurse.account, to: banned.account, scopes: [],
                state: .confirmed)
            let asked = Link(
                id: .timeOrdered(), kind: .friend, market: nil, from: nurse.account, to: gone.account, scopes: [],
                state: .asked)
            try await world.pool.withTransaction { transaction in
                _ = try await transaction.first(InsertLink(link: family, now: now))
                _ = try await transaction.first(InsertLink(link: friends, now: now))
                _ = try await transaction.first(InsertLink(link: asked, now: now))
                transaction.send(Unconfirm(account: unconfirmed.account))
                transaction.send(DeleteAccount(account: gone.account))
            }
            let registered = try await world.events(AccountRegistered.self)
            let changed = try await world.events(AccountChanged.self)
            let verified = try await world.events(ProviderVerified.self)
            var pace = Republication.Pace()
            pace.pause = .milliseconds(1)
            pace.outboxLimit = 10_000
            let clock = world.clock
            _ = try await Republication(
                pool: world.pool, kinds: RepublishPeople.kinds { clock.now }, pace: pace, logger: TestThreads.logger
            ).run()
            let told = try await world.events(AccountsTold.self).flatMap(\.accounts)
            let known = told.map(\.account.account)
            #expect(known == known.sorted { $0.text < $1.text })
            #expect(!known.contains(unconfirmed.account) && !known.contains(gone.account))
            let snapshots = registered.map(\.account) + changed.map(\.account) + verified.map(\.account)
            for account in [nurse.account, banned.account] {
                let one = try #require(told.first { $0.account.account == account })
                let newest = snapshots.filter { $0.account == account }.max { $0.version < $1.version }
                #expect(one.account == newest)
                #expect(one.registeredAt == registered.first { $0.account.account == account }?.at)
            }
            #expect(told.first { $0.account.account == banned.account }?.bans.map(\.market) == ["assef"])
            #expect(told.first { $0.account.account == nurse.account }?.bans == [])
            let links = try await world.events(LinksTold.self).flatMap(\.links)
            // Ids of one millisecond have no order.
            #expect(
                links.sorted { ($0.market ?? "") > ($1.market ?? "") } == [
                    .init(
                        link: family.id, market: "assef", from: nurse.account, to: banned.account,
                        scopes: ["order", "see"]),
                    // By their names notifications makes the conversation of friends.
                    .init(
                        link: friends.id, market: nil, from: nurse.account, to: banned.account, scopes: [],
                        fromName: snapshots.first { $0.account == nurse.account }?.name,
                        toName: snapshots.first { $0.account == banned.account }?.name),
                ])
            #expect(links.contains { $0.fromName != nil && $0.toName != nil })
            #expect(try await world.events(AccountChanged.self).count == changed.count)
        }
    }
}
