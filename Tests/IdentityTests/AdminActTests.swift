import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Acts of admins for the audit log", .timeLimit(.minutes(15)))
struct AdminActTests {
    private func create(_ world: World, by admin: Tokens) async throws -> UUID {
        let person = Person()
        let body: JSONValue = [
            "role": "customer", "name": .string(person.name), "email": .string(person.email),
            "mobile": .string(person.mobile),
        ]
        let made = try await world.post("markets/assef/people", body, token: admin.access)
        return try #require(made["account"].flatMap(UUID.init(uuidString:)), "\(made)")
    }

    private func acts(_ world: World, by admin: Tokens) async throws -> [AccountManaged.Act] {
        try await world.events(AccountManaged.self).filter { $0.by == admin.account && $0.market == "assef" }.map(\.act)
    }

    @Test("P9: an invitation again, an account that is kept and a deletion that is refused are told for the audit log")
    func people() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let id = try await create(world, by: admin)
            let invitation = try await world.post(
                "markets/assef/people/\(id.text)/invitation", [:], token: admin.access)
            #expect(invitation.status == 202)
            #expect(try await acts(world, by: admin) == [.created, .invited])
            let now = world.clock.now
            try await world.pool.execute(
                InsertRemoval(account: id, cause: .inactive, now: now.addingTimeInterval(86_400 * 2), dueAt: now))
            let kept = try await world.post(
                "markets/assef/removals/\(id.text)/decision", ["decision": "keep"], token: admin.access)
            #expect(kept.status == 204, "\(kept)")
            #expect(try await acts(world, by: admin) == [.created, .invited, .kept])
            let asked = try await world.send("DELETE", "v1/markets/assef/people/\(id.text)", token: admin.access)
            let deletion = try #require(asked["deletion"].flatMap(UUID.init(uuidString:)), "\(asked)")
            try await world.answer(deletion, of: id, from: .dispatch, ["open-order"], [.timeOrdered()])
            try await world.answer(deletion, of: id, from: .wallet)
            #expect(try await acts(world, by: admin) == [.created, .invited, .kept, .removalRefused])
            // An owner's own word is nobody's act.
            let person = Person()
            let tokens = try await world.join(person)
            let own = try await world.askDeletion(person, tokens)
            for service in Deletion.Service.allCases {
                try await world.answer(own, of: tokens.account, from: service, ["balance"])
            }
            #expect(try await world.events(DeletionRefused.self).count == 2)
            #expect(try await world.events(AccountManaged.self).count == 4)
        }
    }

    @Test("P9, I9: an admin's dropping of a family that never held is told for the audit log, the two's own is not")
    func families() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let second = Person()
            let (asking, asked) = (try await world.join(Person()), try await world.join(second))
            let body: JSONValue = [
                "kind": "family", "mobile": .string(second.mobile), "market": "assef", "scopes": ["see"],
            ]
            let refused = try #require(try await world.post("accounts/me/links", body, token: asking.access)["link"])
            let own = "v1/accounts/me/links/\(refused)"
            #expect(try await world.send("DELETE", own, token: asked.access).status == 204)
            #expect(try await world.events(LinkRemoved.self).isEmpty)
            let link = try #require(try await world.post("accounts/me/links", body, token: asking.access)["link"])
            let agreed = try await world.post("accounts/me/links/\(link)/agreement", [:], token: asked.access)
            #expect(agreed["state"] == "agreed")
            let dropped = try await world.send("DELETE", "v1/markets/assef/links/\(link)", token: admin.access)
            #expect(dropped.status == 204)
            let told = try await world.events(LinkRemoved.self)
            #expect(told.map(\.by) == [admin.account] && told.map(\.link.text) == [link])
        }
    }
}
