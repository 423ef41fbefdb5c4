import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Conditions of a role", .timeLimit(.minutes(15)))
struct RoleConditionTests {
    private static let carrier: JSONValue = [
        "market": "carrepsa", "role": "provider", "title": "carrier", "terms": "2026-12",
    ]

    /// The markets confirm as they do: Eden Care by a mail, Carrepsa by an SMS.
    private func run(
        onboarding: Market.Onboarding = .init(), _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await World.run(confirmation: .sms, onboarding: onboarding, body)
    }

    /// As somebody whom the mail of another market has confirmed.
    private func joinByMail(_ world: World, _ person: Person) async throws -> Tokens {
        let account = try #require(
            try await world.post("accounts", person.json)["account"].flatMap(UUID.init(uuidString:)))
        try await world.pool.execute(ConfirmedByMail(account: account))
        return try await world.logIn(person)
    }

    private func proveMobile(
        _ world: World, _ tokens: Tokens, _ person: Person, _ mobile: String
    ) async throws -> Answer {
        let body: JSONValue = ["mobile": .string(mobile), "password": .string(person.password)]
        try #require(try await world.post("accounts/me/mobile", body, token: tokens.access).status == 202)
        let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
        return try await world.post("accounts/me/mobile/code", ["code": .string(code)], token: tokens.access)
    }

    @Test("I2, I7: whom a mail has confirmed becomes no carrier where an SMS confirms, before the number is proved")
    func carrier() async throws {
        try await run { world async throws in
            let person = Person()
            let tokens = try await joinByMail(world, person)
            for role in [Self.carrier, ["market": "carrepsa", "role": "customer"] as JSONValue] {
                let refused = try await world.post("accounts/me/roles", role, token: tokens.access)
                #expect(refused.status == 409 && refused.slug == "mobile-unproved", "\(refused)")
                #expect(refused["contact"] == "mobile")
            }
            #expect(try await world.events(AccountChanged.self).isEmpty)
            #expect(try await proveMobile(world, tokens, person, person.mobile).status == 204)
            #expect(try await world.post("accounts/me/roles", Self.carrier, token: tokens.access).status == 201)
        }
    }

    @Test("I2, I7, I13: a carrier whom an admin makes works only when he has proved his number")
    func madeByAdmin() async throws {
        var onboarding = Market.Onboarding()
        onboarding.confirmation = .sms
        onboarding.providerCheck = .confirmation
        try await run(onboarding: onboarding) { world async throws in
            let admin = try await world.admin(of: "carrepsa")
            var person = Person()
            person.market = "carrepsa"
            let body: JSONValue = [
                "role": "provider", "title": "carrier", "name": .string(person.name), "email": .string(person.email),
                "mobile": .string(person.mobile),
            ]
            let made = try await world.post("markets/carrepsa/people", body, token: admin.access)
            let id = try #require(made["account"].flatMap(UUID.init(uuidString:)), "\(made)")
            let link = try #require(try await world.deliveries().last { $0.request.text == "invitation" }?.token)
            let password: JSONValue = ["token": .string(link), "password": .string(person.password)]
            #expect(try await world.post("password-resets/finish", password).status == 204)
            let tokens = try await world.logIn(person)
            func verified() async throws -> [Bool]? {
                let changes = try await world.events(AccountChanged.self).map(\.account)
                let all = try await world.events(AccountRegistered.self).map(\.account) + changes
                return all.last { $0.account == id }?.roles.map(\.verified)
            }
            #expect(try await verified() == [false])
            // Nor does an admin's word stand for the proof.
            let word = try await world.post(
                "markets/carrepsa/providers/\(id.text)/verification", ["decision": "verify", "title": "carrier"],
                token: admin.access)
            #expect(word.slug == "mobile-unproved", "\(word)")
            #expect(try await proveMobile(world, tokens, person, person.mobile).status == 204)
            #expect(try await verified() == [true])
        }
    }

    @Test("I2: whom an SMS has confirmed proves the address first where a mail confirms")
    func byMail() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let person = Person()
            let account = try #require(
                try await world.post("accounts", person.json)["account"].flatMap(UUID.init(uuidString:)))
            try await world.pool.execute(ConfirmedBySMS(account: account))
            let tokens = try await world.logIn(person)
            let refused = try await world.post("accounts/me/roles", Self.carrier, token: tokens.access)
            #expect(refused.slug == "email-unproved" && refused["contact"] == "email", "\(refused)")
        }
    }

    @Test("I11: a banned one who is gone comes back neither by another market's mail nor by a number he proves later")
    func banned() async throws {
        try await run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let gone = try await joinByMail(world, person)
            try await world.pool.execute(ProveBoth(account: gone.account))
            let ban: JSONValue = ["account": .string(gone.account.text), "reason": "Rude"]
            #expect(try await world.post("markets/assef/bans", ban, token: admin.access).status == 201)
            let deletion = try await world.askDeletion(person, try await world.logIn(person))
            for service in Deletion.Service.allCases {
                try await world.answer(deletion, of: gone.account, from: service)
            }
            // Another address; the number of before is only written down.
            var again = Person()
            again.market = "carrepsa"
            again.mobile = person.mobile
            let tokens = try await joinByMail(world, again)
            let role: JSONValue = ["market": "assef", "role": "customer"]
            #expect(try await world.post("accounts/me/roles", role, token: tokens.access).slug == "mobile-unproved")
            #expect(try await proveMobile(world, tokens, again, person.mobile).status == 204)
            #expect(try await world.post("accounts/me/roles", role, token: tokens.access).slug == "banned")
            // With a number of his own he has the role, and does not take the other one afterwards.
            var third = Person()
            third.market = "carrepsa"
            let others = try await joinByMail(world, third)
            #expect(try await proveMobile(world, others, third, third.mobile).status == 204)
            #expect(try await world.post("accounts/me/roles", role, token: others.access).status == 201)
            // Nobody has the number now.
            try await world.pool.execute(RemoveMobile(account: tokens.account))
            world.clock.advance(by: .seconds(61))
            let taken = try await proveMobile(world, others, third, person.mobile)
            #expect(taken.slug == "account-exists" && taken.fields == ["/mobile": "taken"], "\(taken)")
        }
    }

    @Test(
        "I13: an offer is accepted with the market's terms and the contact that it confirms by, and is good until then")
    func offered() async throws {
        var onboarding = Market.Onboarding()
        onboarding.terms = .init(version: "2026-11", text: ["en": "Be kind."])
        try await run(onboarding: onboarding) { world async throws in
            let admin = try await world.admin(of: "assef")
            var person = Person()
            person.market = "carrepsa"
            guard case .object(var body) = person.json else { return }
            body["terms"] = "2026-11"
            let account = try #require(
                try await world.post("accounts", .object(body))["account"].flatMap(UUID.init(uuidString:)))
            try await world.pool.execute(ConfirmedByMail(account: account))
            let tokens = try await world.logIn(person)
            let offer: JSONValue = ["role": "customer", "email": .string(person.email)]
            #expect(try await world.post("markets/assef/role-offers", offer, token: admin.access).status == 202)
            let link = try #require(try await world.deliveries().last { $0.request.text == "role-offered" }?.token)
            func accept(_ terms: String?) async throws -> Answer {
                var body: [String: JSONValue] = ["token": .string(link)]
                body["terms"] = terms.map { .string($0) }
                return try await world.post("role-offers/finish", .object(body))
            }
            #expect(try await accept("2026-11").slug == "mobile-unproved")
            #expect(try await proveMobile(world, tokens, person, person.mobile).status == 204)
            #expect(try await accept(nil).fields == ["/terms": "required"])
            #expect(try await accept("2025-01").fields == ["/terms": "terms-version"])
            #expect(try await accept("2026-11").status == 204)
            let accepted = try await world.pool.query(ListAcceptedTerms(account: account))
            #expect(accepted.contains { $0.market == "assef" && $0.version == "2026-11" })
        }
    }
}

private struct ConfirmedByMail: Statement {
    static let sql: SQL = """
        UPDATE accounts SET confirms_by = 'email', confirmed_at = registered_at, email_proved_at = registered_at
        WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

private struct ConfirmedBySMS: Statement {
    static let sql: SQL = """
        UPDATE accounts SET confirms_by = 'sms', confirmed_at = registered_at, mobile_proved_at = registered_at
        WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
