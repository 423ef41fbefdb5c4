import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("The support of a market", .timeLimit(.minutes(15)))
struct SupportTests {
    @Test("I13, A1: a master admin makes support by an address as people type it; it reads, does not act, and ends")
    func made() async throws {
        try await World.run { world async throws in
            let (master, admin) = (try await world.admin(of: "*"), try await world.admin(of: "assef"))
            let (person, customer) = (Person(), try await world.join(Person()))
            let account = try await world.register(person)
            let typed: JSONValue = ["email": .string("  \(person.email.uppercased()) "), "rank": "support"]
            #expect(try await world.post("markets/assef/admins", typed, token: admin.access).status == 403)
            let made = try await world.post("markets/assef/admins", typed, token: master.access)
            #expect(made.status == 201 && made["rank"] == "support" && made["account"] == account.text, "\(made)")
            #expect(try await world.post("markets/assef/admins", typed, token: master.access).slug == "role-exists")
            let both: JSONValue = ["account": .string(account.text)]
            let other = try await world.post("markets/assef/admins", both, token: master.access)
            #expect(other.status == 409 && other.slug == "other-rank-exists", "\(other)")
            let list = try await world.send("GET", "v1/markets/assef/admins", token: master.access)
            #expect(list.items.map { $0["rank"] } == ["admin", "support"], "\(list)")

            let support = try await world.logIn(person)
            for part in ["providers", "people", "bans", "removals", "waiting"] {
                #expect(
                    try await world.send("GET", "v1/markets/assef/\(part)", token: support.access).status == 200,
                    "\(part)")
            }
            #expect(try await world.send("GET", "v1/markets/hajji/people", token: support.access).status == 403)
            #expect(try await world.send("GET", "v1/markets/assef/admins", token: support.access).slug == "forbidden")
            let ban = try await world.post(
                "markets/assef/bans", ["account": .string(customer.account.text), "reason": "x"], token: support.access)
            #expect(ban.status == 403 && ban.slug == "support-reads-only", "\(ban)")
            // What the person does as a customer is not the support's.
            let own = try await world.send("PATCH", "v1/accounts/me", ["name": "Huda Salem"], token: support.access)
            #expect(own.status == 200)

            let path = "v1/markets/assef/admins/\(account.text)"
            #expect(try await world.send("DELETE", path, token: master.access).status == 204)
            #expect(try await world.send("GET", "v1/markets/assef/people", token: support.access).status == 401)
            let told = try await world.events(AdminChanged.self).filter { $0.account == account }
            #expect(told.map(\.isAdmin) == [true, false] && told.map(\.rank) == ["support", "support"])
        }
    }

    @Test(
        "I13, P10: rights are given to an account whose owner has proved the address, and support of one market alone")
    func refused() async throws {
        try await World.run { world async throws in
            let master = try await world.admin(of: "*")
            let stranger = Person()
            #expect(try await world.post("accounts", stranger.json).status == 201)
            func give(_ body: JSONValue, in market: String = "assef") async throws -> [String: String] {
                try await world.post("markets/\(market)/admins", body, token: master.access).fields
            }
            // Written down, but proved by nobody.
            #expect(try await give(["email": .string(stranger.email)]) == ["/email": "no-account-of-email"])
            #expect(try await give(["email": "nobody@example.com"]) == ["/email": "no-account-of-email"])
            #expect(try await give(["email": "no address"]) == ["/email": "not-an-email"])
            #expect(try await give([:]) == ["/email": "required"])
            #expect(try await give(["email": .string(stranger.email), "rank": "king"]) == ["/rank": "not-a-choice"])
            let everywhere: JSONValue = ["email": .string(stranger.email), "rank": "support"]
            #expect(try await give(everywhere, in: "*") == ["/rank": "support-of-one-market"])
            #expect(try await world.events(AdminChanged.self).filter { $0.by != nil }.isEmpty)
        }
    }

    @Test("I13, A1: where admins need a second factor support needs it, too")
    func secondFactor() async throws {
        try await World.run(["SERAI_IDENTITY_SECOND_FACTOR_ADMINS": "true"]) { world async throws in
            let person = Person()
            let account = try await world.register(person)
            try await world.pool.execute(PutRole(account: account, role: .support(of: "assef"), now: world.clock.now))
            let answer = try await world.post(
                "sessions", ["login": .string(person.email), "password": .string(person.password)])
            #expect(answer.json?["asks"] == ["second-factor"], "\(answer)")
            let tokens = try Tokens(answer)
            #expect(try await world.send("GET", "v1/markets/assef/people", token: tokens.access).status == 403)
            let roles = try await world.bootstrap.tokenVerifier().verify(tokens.access).roles
            #expect(roles == [MarketRole(market: "assef", role: "customer")])
        }
    }

    @Test("I13, I14, P8: support finds people by what it is told, and reads neither their contacts nor typed-in ones")
    func sealed() async throws {
        try await World.run { world async throws in
            let person = Person.provider()
            let (nurse, support) = (try await world.join(person), try await world.support(of: "assef"))
            let number = "contact=%2B\(person.mobile.dropFirst())"
            let found = try await world.send("GET", "v1/markets/assef/people?\(number)", token: support.access)
            #expect(found.items.map { $0["account"] } == [.string(nurse.account.text)], "\(found)")
            #expect(found.items.first?["email"] == nil && found.items.first?["mobile"] == nil)
            #expect(found.items.first?["mobileProved"] == true)
        }
        let asked: [Market.Onboarding.Detail] = [
            .init("mail", ["en": "Mail"], .email), .init("plate", ["en": "Plate"], .text(maximum: 9)),
        ]
        let brought = ReadPapers.Found(
            role: .provider(in: "assef", title: "nurse"), version: 1, details: ["mail": "a@b.c", "plate": "X"],
            papers: ProviderPapers(papers: [], required: []))
        #expect(brought.withoutContacts(asked).details == ["plate": "X"])
    }

    @Test("I13: an admin of a market does not manage the support's accounts, and nobody of the support deletes his own")
    func protected() async throws {
        try await World.run { world async throws in
            let (admin, support) = (try await world.admin(of: "assef"), try await world.support(of: "assef"))
            let path = "v1/markets/assef/people/\(support.account.text)"
            #expect(try await world.send("PATCH", path, ["name": "Nobody"], token: admin.access).status == 403)
            #expect(try await world.send("DELETE", path, token: admin.access).status == 403)
            #expect(try await world.send("DELETE", "\(path)/sessions", token: admin.access).status == 403)
            let ban = try await world.post(
                "markets/assef/bans", ["account": .string(support.account.text), "reason": "x"], token: admin.access)
            #expect(ban.status == 403 && ban.slug == "forbidden")
            let leaving = try await world.post(
                "accounts/me/deletion", ["password": "Serai-2026-secret"], token: support.access)
            #expect(leaving.status == 409 && leaving.fields == ["/account": "admin"], "\(leaving)")
        }
    }
}

extension World {
    /// Somebody of the market's support, who is also a customer of assef, logged in.
    func support(of market: String) async throws -> Tokens {
        let person = Person()
        let account = try await register(person)
        try await pool.execute(PutRole(account: account, role: .support(of: market), now: clock.now))
        return try await logIn(person)
    }
}
