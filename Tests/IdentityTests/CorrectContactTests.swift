import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Contacts that an admin corrects", .timeLimit(.minutes(15)))
struct CorrectContactTests {
    private func correct(
        _ world: World, _ account: UUID, _ body: JSONValue, by admin: Tokens, in market: String = "assef"
    ) async throws -> Answer {
        try await world.post("markets/\(market)/people/\(account.text)/contact", body, token: admin.access)
    }

    @Test(
        "I13: a wrong address and number are corrected: not proved, the old address is told, and the login is the new one"
    )
    func corrected() async throws {
        try await World.run { world async throws in
            let (person, right) = (Person(), Person())
            let tokens = try await world.join(person)
            try await world.pool.execute(ProveLongAgo(account: tokens.account))
            let admin = try await world.admin(of: "assef")
            let answer = try await correct(
                world, tokens.account, ["email": .string(right.email), "mobile": .string(right.mobile)], by: admin)
            #expect(answer.status == 204, "\(answer)")
            let profile = try #require(try await world.parts.readProfile(tokens.account, at: world.clock.now))
            #expect(profile.email == right.email && profile.mobile == right.mobile)
            #expect(!profile.emailIsProved && !profile.mobileIsProved)
            let told = try await world.deliveries().suffix(2)
            #expect(told.map(\.request.text) == ["email-changed", "mobile-changed"])
            #expect(told.allSatisfy { $0.contents.to == person.email })
            let act = try await world.events(AccountManaged.self).last
            #expect(act?.act == .contactCorrected && act?.by == admin.account)
            let login: JSONValue = ["login": .string(right.mobile), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).status == 201)
        }
    }

    @Test(
        "I13: whoever was invited at a wrong address gets the invitation at the right one, and the first link is void")
    func invited() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let (wrong, right) = (Person(), Person())
            let body: JSONValue = [
                "role": "customer", "name": .string(wrong.name), "email": .string(wrong.email),
                "mobile": .string(wrong.mobile),
            ]
            let made = try await world.post("markets/assef/people", body, token: admin.access)
            let account = try #require(made["account"].flatMap(UUID.init(uuidString:)))
            let first = try #require(try await world.deliveries().last?.token)
            #expect(try await correct(world, account, ["email": .string(right.email)], by: admin).status == 204)
            let second = try #require(try await world.deliveries().last { $0.request.text == "invitation" })
            #expect(second.contents.to == right.email)
            func finish(_ token: String) async throws -> Answer {
                try await world.post(
                    "password-resets/finish", ["token": .string(token), "password": .string(right.password)])
            }
            #expect(try await finish(first).slug == "proof-refused")
            #expect(try await finish(try #require(second.token)).status == 204)
            _ = try await world.logIn(right)
        }
    }

    @Test(
        "I13, I2: not what another account has proved, what the owner has proved lately, nor of other markets and admins"
    )
    func refused() async throws {
        try await World.run { world async throws in
            let (person, other) = (Person(), Person())
            let tokens = try await world.join(person)
            try await world.register(other)
            let admin = try await world.admin(of: "assef")
            let fresh: JSONValue = ["email": .string(Person().email)]
            let proved = try await correct(world, tokens.account, fresh, by: admin)
            #expect(proved.slug == "contact-proved" && proved["contact"] == "email", "\(proved)")
            let taken = try await correct(world, tokens.account, ["mobile": .string(other.mobile)], by: admin)
            #expect(taken.slug == "account-exists" && taken.fields == ["/mobile": "taken"], "\(taken)")
            try await world.pool.execute(ProveLongAgo(account: tokens.account))
            let foreign = try await world.foreignAdmin()
            #expect(try await correct(world, tokens.account, fresh, by: foreign).status == 403)
            #expect(try await correct(world, admin.account, fresh, by: admin).slug == "own-matter")
            #expect(try await correct(world, .timeOrdered(), fresh, by: admin).status == 404)
            #expect(try await correct(world, tokens.account, [:], by: admin).fields == ["/mobile": "required"])
            let home: JSONValue = [
                "label": "home", "name": "Home", "coordinates": ["latitude": 50.45, "longitude": -104.6],
            ]
            let role = try await world.post(
                "accounts/me/roles",
                ["market": "edencare", "role": "customer", "address": home, "terms": "2026-11"], token: tokens.access)
            #expect(role.status == 201, "\(role)")
            #expect(try await correct(world, tokens.account, fresh, by: admin).slug == "other-markets")
        }
    }
}

/// Lets the proofs of an account's contacts be older than those that an admin keeps to. (The clock cannot go on: tokens
/// are checked by the real one.)
private struct ProveLongAgo: Statement {
    static let sql: SQL = """
        UPDATE accounts SET email_proved_at = email_proved_at - interval '31 days',
            mobile_proved_at = mobile_proved_at - interval '31 days'
        WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
