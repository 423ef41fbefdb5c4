import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Roles that admins give", .timeLimit(.minutes(15)))
struct GivenRoleTests {
    private static let provider: JSONValue = ["role": "provider", "title": "nurse"]

    private func give(
        _ world: World, _ body: JSONValue = GivenRoleTests.provider, to account: UUID, by admin: Tokens
    ) async throws -> Answer {
        try await world.post("markets/assef/people/\(account.text)/roles", body, token: admin.access)
    }

    private func client(_ world: World) async throws -> Tokens {
        var person = Person()
        person.address = ["label": "home", "name": "Home", "coordinates": ["latitude": 24.7, "longitude": 46.7]]
        return try await world.join(person)
    }

    @Test("P1, I13: an admin makes a client of the market one of its providers, where nobody asks for it himself")
    func madeProvider() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            let tokens = try await client(world)
            let answer = try await give(world, to: tokens.account, by: admin)
            #expect(answer.status == 201, "\(answer)")
            let told = try #require(try await world.events(AccountChanged.self).last?.account)
            #expect(told.account == tokens.account && Set(told.roles.map(\.role)) == ["customer", "provider"])
            let areVerified = told.roles.allSatisfy(\.verified)
            #expect(areVerified)
            #expect(try await world.deliveries().last?.request.text == "provider-verified")
            let managed = try #require(try await world.events(AccountManaged.self).last)
            #expect(managed.act == .roleGiven && managed.by == admin.account && managed.account == tokens.account)
            #expect(try await give(world, to: tokens.account, by: admin).slug == "role-exists")
            let wrong: JSONValue = ["role": "customer", "title": "nurse"]
            #expect(try await give(world, wrong, to: tokens.account, by: admin).fields == ["/title": "invalid-value"])
        }
    }

    @Test("P1, I13: whom an admin has removed from the market returns by an admin's word, with the account of before")
    func returns() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let body: JSONValue = [
                "role": "provider", "title": "nurse", "name": .string(person.name), "email": .string(person.email),
                "mobile": .string(person.mobile),
            ]
            let made = try await world.post("markets/assef/people", body, token: admin.access)
            let id = try #require(made["account"].flatMap(UUID.init(uuidString:)))
            try await world.pool.execute(PutRole(account: id, role: .customer(in: "hajji"), now: world.clock.now))
            let path = "v1/markets/assef/people/\(id.text)"
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            // The address is still the account's, so another one is not made.
            #expect(try await world.post("markets/assef/people", body, token: admin.access).slug == "account-exists")
            #expect(try await give(world, to: id, by: admin).status == 201)
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" }.map(\.verified) == [true])
            #expect(try await world.pool.first(HasLeftMarket(account: id, market: "assef")) == nil)
        }
    }

    @Test("P1, I13: who has an account elsewhere is offered a role by address or number, and has it by the link alone")
    func offered() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            var person = Person()
            person.address = ["label": "home", "name": "Home", "coordinates": ["latitude": 24.7, "longitude": 46.7]]
            let account = try await world.register(person)
            try await world.pool.execute(PutRole(account: account, role: .customer(in: "hajji"), now: world.clock.now))
            try await world.pool.execute(DeleteMarketRoles(account: account, market: "assef"))
            func offer(_ field: String, _ contact: String) async throws -> [OpenedDelivery] {
                let body: JSONValue = [
                    "role": "provider", "title": "nurse", field: .string(contact),
                ]
                let answer = try await world.post("markets/assef/role-offers", body, token: admin.access)
                #expect(answer.status == 202, "\(answer)")
                return try await world.deliveries().filter { $0.request.text == "role-offered" }
            }
            func accept(_ link: String?) async throws -> Answer {
                try await world.post("role-offers/finish", ["token": .string(link ?? "")])
            }
            // The answer is the same for whom nobody knows.
            #expect(try await offer("email", "nobody@example.com").isEmpty)
            let first = try #require(try await offer("email", person.email).last)
            #expect(first.contents.to == person.email && first.request.channel == .mail)
            #expect(try await offer("email", person.email).count == 1)
            world.clock.advance(by: .seconds(3_601))
            let second = try #require(try await offer("mobile", person.mobile).last)
            #expect(second.contents.to == person.mobile && second.request.channel == .sms)
            #expect(try await world.events(AccountChanged.self).isEmpty)
            #expect(try await accept(first.token).slug == "proof-refused")
            #expect(try await accept(second.token).status == 204)
            #expect(try await accept(second.token).slug == "proof-refused")
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" && $0.market == "assef" }.map(\.verified) == [true])
            let acts = try await world.events(AccountManaged.self)
            #expect(acts.map(\.act) == [.roleGiven] && acts.allSatisfy { $0.by == admin.account })
            // Who has it is offered nothing more.
            world.clock.advance(by: .seconds(3_601))
            #expect(try await offer("email", person.email).count == 2)
        }
    }

    @Test("I5, I13: where Nafath knows everybody nobody accepts a role by another market's password")
    func nafath() async throws {
        try await NafathWorld.run(["SERAI_IDENTITY_PASSWORD_MARKETS": "none"]) { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            let person = Person()
            var elsewhere = person
            elsewhere.market = "carrepsa"
            _ = try await world.register(elsewhere)
            let body: JSONValue = ["role": "provider", "title": "nurse", "email": .string(person.email)]
            #expect(try await world.post("markets/assef/role-offers", body, token: admin.access).status == 202)
            let link = try #require(try await world.deliveries().last { $0.request.text == "role-offered" }?.token)
            let answer = try await world.post("role-offers/finish", ["token": .string(link)])
            #expect(answer.slug == "nafath-needed", "\(answer)")
            #expect(
                try await world.events(AccountChanged.self).allSatisfy {
                    $0.account.roles.map(\.market) == ["carrepsa"]
                })
        }
    }

    @Test("P1, I13: nobody accepts what a person offered who is no admin any more, nor what is three days old")
    func lapsed() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let account = try await world.register(person)
            try await world.pool.execute(PutRole(account: account, role: .customer(in: "hajji"), now: world.clock.now))
            try await world.pool.execute(DeleteMarketRoles(account: account, market: "assef"))
            func offer() async throws -> String {
                let body: JSONValue = ["role": "customer", "email": .string(person.email)]
                #expect(try await world.post("markets/assef/role-offers", body, token: admin.access).status == 202)
                return try #require(try await world.deliveries().last?.token)
            }
            let old = try await offer()
            world.clock.advance(by: .seconds(ProofRule.invitationSeconds + 1))
            #expect(try await world.post("role-offers/finish", ["token": .string(old)]).slug == "proof-refused")
            try await PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(1)
            ).purge()
            let link = try await offer()
            try await world.pool.execute(DeleteAdminRole(account: admin.account, market: "assef"))
            #expect(try await world.post("role-offers/finish", ["token": .string(link)]).slug == "proof-refused")
            #expect(try await world.events(AccountChanged.self).isEmpty)
        }
    }

    @Test("I13, Q7: nobody is given a role in a market that does not know him, nor while he is banned, nor by himself")
    func refused() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let (admin, master) = (try await world.admin(of: "assef"), try await world.admin(of: "*"))
            let (person, stranger) = (Person(), Person())
            var accounts: [UUID] = []
            for one in [person, stranger] {
                let made = try await world.post(
                    "accounts", one.with(["terms": "2026-01", "birthDate": "1990-05-17"]))
                accounts.append(try #require(made["account"].flatMap(UUID.init(uuidString:))))
            }
            try await world.pool.execute(
                PutRole(account: accounts[1], role: .customer(in: "hajji"), now: world.clock.now))
            try await world.pool.execute(DeleteMarketRoles(account: accounts[1], market: "assef"))
            #expect(try await give(world, to: accounts[1], by: admin).status == 404)
            #expect(try await give(world, to: .timeOrdered(), by: admin).status == 404)
            #expect(try await give(world, to: admin.account, by: admin).status == 403)
            #expect(try await give(world, to: admin.account, by: master).status == 404)
            let ban: JSONValue = ["account": .string(accounts[0].text), "reason": "Fraud."]
            _ = try await world.post("markets/assef/bans", ban, token: admin.access)
            #expect(try await give(world, to: accounts[0], by: admin).slug == "person-banned")
            _ = try await world.send("DELETE", "v1/markets/assef/bans/\(accounts[0].text)", token: admin.access)
            #expect(try await world.events(AccountManaged.self).isEmpty)
            // Where papers are asked for the provider brings them, and is told so.
            let given = try await give(world, to: accounts[0], by: admin)
            #expect(given.status == 201, "\(given)")
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" }.map(\.verified) == [false])
            #expect(try await world.deliveries().last?.request.text == "role-given")
        }
    }
}
