import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What each market asks of people", .timeLimit(.minutes(15)))
struct MarketRuleTests {
    private func provider(_ person: Person) -> JSONValue {
        [
            "role": "provider", "title": "nurse", "name": .string(person.name), "email": .string(person.email),
            "mobile": .string(person.mobile),
        ]
    }

    private func invitation(_ world: World) async throws -> String {
        let sent = try await world.deliveries().filter { $0.request.text == "invitation" }
        return try #require(sent.last?.token)
    }

    private func setPassword(_ world: World, _ token: String, _ person: Person) async throws -> Answer {
        try await world.post(
            "password-resets/finish", ["token": .string(token), "password": .string(person.password)])
    }

    @Test("I2, I7: the markets' rules are data: what confirms an account, and what verifies a provider")
    func rules() {
        let rules: [(Market.Onboarding, Market.Confirmation, Market.ProviderCheck)] = [
            (.assef, .sms, .nafath), (.edencare, .email, .invitation), (.btnc, .email, .admin),
            (.carrepsa, .sms, .confirmation), (.hajji, .sms, .admin),
        ]
        for (onboarding, confirmation, check) in rules {
            #expect(onboarding.confirmation == confirmation && onboarding.providerCheck == check)
        }
        #expect(Market.assef.signIn == [.nafath] && Market.assef.providerCheck == .nafath)
    }

    @Test("I7: in Carrepsa any confirmed account provides, also under another name, until an admin says no")
    func confirmed() async throws {
        try await World.run(onboarding: .carrepsaInAssef) { world async throws in
            let tokens = try await world.join(.provider())
            let caller = try await world.bootstrap.tokenVerifier().verify(tokens.access)
            #expect(caller.verifiedMarkets.contains("assef"))
            let renamed = try await world.send(
                "PATCH", "v1/accounts/me", ["name": "Huda Al-Amri"], token: tokens.access)
            #expect(renamed.status == 200)
            #expect(try await world.events(AccountChanged.self).last?.account.roles.map(\.verified) == [true])
            let admin = try await world.admin(of: "assef")
            let no = try await world.post(
                "markets/assef/providers/\(tokens.account.text)/verification",
                ["decision": "reject", "reason": "No."], token: admin.access)
            #expect(no.status == 200)
            let again = try await world.post(
                "accounts/me/roles",
                [
                    "market": "assef", "role": "provider", "title": "nurse",
                    "terms": .string(try #require(Market.assef.onboarding.terms).version),
                ], token: tokens.access)
            #expect(again.status == 201, "\(again)")
            #expect(try await world.events(AccountChanged.self).last?.account.roles.map(\.verified) == [false])
        }
    }

    @Test(
        "I7: in Eden Care nobody asks for it: an admin makes the account, and the invitation lapses and is sent again")
    func invited() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let refused = try await world.post("accounts", Person.provider().json)
            #expect(refused.fields == ["/role": "by-invitation"])
            let homeless = try await world.post("accounts", Person().json)
            #expect(homeless.fields == ["/address": "required"])
            var client = Person()
            client.address = [
                "label": "home", "name": "Home", "coordinates": ["latitude": 24.7, "longitude": 46.7],
            ]
            let customer = try await world.join(client)
            let places = try await world.send("GET", "v1/accounts/me/places?market=assef", token: customer.access)
            #expect(places.items.map { $0["name"] } == ["Home"])
            let asked = try await world.post(
                "accounts/me/roles",
                ["market": "assef", "role": "provider", "title": "nurse", "terms": "2026-11"], token: customer.access)
            #expect(asked.fields == ["/role": "by-invitation"])
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let made = try await world.post("markets/assef/people", provider(person), token: admin.access)
            #expect(made.status == 201)
            #expect(try await world.events(AccountRegistered.self).last?.account.roles.map(\.verified) == [true])
            let first = try await invitation(world)
            world.clock.advance(by: .seconds(ProofRule.invitationSeconds + 1))
            #expect(try await setPassword(world, first, person).slug == "proof-refused")
            let account = try #require(made["account"])
            let again = try await world.post(
                "markets/assef/people/\(account)/invitation", [:], token: admin.access)
            #expect(again.status == 202)
            let second = try await invitation(world)
            #expect(second != first)
            #expect(try await setPassword(world, second, person).status == 204)
            #expect(try await setPassword(world, second, person).slug == "proof-refused")
            _ = try await world.logIn(person)
        }
    }

    @Test("I7: where papers are asked for an admin's making an account does not stand for them")
    func papers() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let made = try await world.post("markets/assef/people", provider(person), token: admin.access)
            let account = try #require(made["account"].flatMap(UUID.init(uuidString:)))
            #expect(try await world.events(AccountRegistered.self).last?.account.roles.map(\.verified) == [false])
            let early = try await world.verify(account, by: admin)
            #expect(early.slug == "papers-missing")
            #expect(try await setPassword(world, try await invitation(world), person).status == 204)
            let tokens = try await world.logIn(person)
            for kind in ["licence", "police-clearance", "vehicle-registration", "vehicle-insurance"] {
                let path = "accounts/me/providers/assef/documents/\(kind)"
                #expect(
                    try await world.upload(path, SampleFiles.pdf, as: "application/pdf", token: tokens.access).status
                        == 200)
            }
            let papers = try await world.send("GET", "v1/accounts/me/providers/assef", token: tokens.access)
            guard case .array(let documents)? = papers.json?["documents"] else { return }
            for document in documents {
                guard case .string(let id)? = document["document"] else { continue }
                let path = "markets/assef/providers/\(account.text)/documents/\(id)/decision"
                #expect(try await world.post(path, ["decision": "verify"], token: admin.access).status == 200)
            }
            let undetailed = try await world.verify(account, by: admin)
            #expect(undetailed.json?["papers"] == ["details", "birthDate"])
            let details = try await world.send(
                "PUT", "v1/accounts/me/providers/assef/details", ["details": Person.driverDetails],
                token: tokens.access)
            #expect(details.status == 200, "\(details)")
            #expect(try await world.verify(account, by: admin).json?["papers"] == ["birthDate"])
            let born = try await world.send(
                "PATCH", "v1/accounts/me", ["birthDate": "1990-05-17"], token: tokens.access)
            #expect(born.status == 200, "\(born)")
            #expect(try await world.verify(account, by: admin).status == 200)
        }
    }

    @Test("I2: without an issuer a market of Nafath is closed for registration, and other markets are not")
    func closed() async throws {
        try await World.run(["SERAI_IDENTITY_PASSWORD_MARKETS": "none"]) { world async throws in
            let refused = try await world.post("accounts", Person().json)
            #expect(refused.status == 403 && refused.slug == "market-closed-for-registration", "\(refused)")
            var other = Person()
            other.market = "carrepsa"
            let tokens = try await world.join(other)
            let role = try await world.post(
                "accounts/me/roles", ["market": "assef", "role": "customer", "terms": "2026-11"], token: tokens.access)
            #expect(role.slug == "market-closed-for-registration", "\(role)")
            let admin = try await world.admin(of: "assef")
            let made = try await world.post("markets/assef/people", provider(Person()), token: admin.access)
            #expect(made.slug == "market-closed-for-registration", "\(made)")
        }
    }

    @Test("I2: where the operator opens a market of Nafath to passwords an SMS confirms the number before the login")
    func opened() async throws {
        try await World.run(confirmation: Market.assef.confirmation) { world async throws in
            let person = Person()
            let registered = try await world.post("accounts", person.json)
            #expect(registered.status == 201 && registered["confirmation"] == "sms", "\(registered)")
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).slug == "not-confirmed")
            let sms = try #require(try await world.deliveries().last { $0.contents.to == person.mobile })
            let code = try #require(sms.contents.arguments["code"])
            let shown = try await world.post(
                "confirmations/code", ["login": .string(person.mobile), "code": .string(code)])
            #expect(shown.status == 201, "\(shown)")
            #expect(try await world.post("sessions", login).status == 201)
        }
    }

    @Test("I2: with an issuer a market of Nafath takes no passwords, unless the deployment opens it; admins have them")
    func nafathOnly() async throws {
        try await NafathWorld.run(["SERAI_IDENTITY_PASSWORD_MARKETS": "none"]) { nafath async throws in
            let world = nafath.world
            let person = Person()
            #expect(try await world.post("accounts", person.json).slug == "nafath-needed")
            let admin = try await world.admin(of: "assef")
            let made = try await world.post("markets/assef/people", provider(person), token: admin.access)
            #expect(made.status == 201)
            #expect(try await world.deliveries().last?.request.text == "nafath-invitation")
            _ = nafath.add("huda")
            let signedIn = try await nafath.signIn("huda")
            #expect(signedIn.status == 201)
            // Somebody from before, who has a password still.
            let account = try #require(signedIn["account"].flatMap(UUID.init(uuidString:)))
            let email = Person()
            try await world.pool.execute(
                ReplaceEmail(
                    account: account, sealed: try world.parts.cipher.seal(email.email, .email, of: account),
                    hash: world.parts.cipher.hash(email.email.lowercased(), for: .email), now: world.clock.now))
            let hash = try await world.parts.hasher.hash(Redacted(email.password))
            try await world.pool.execute(PutPassword(account: account, hash: hash, now: world.clock.now))
            let login: JSONValue = ["login": .string(email.email), "password": .string(email.password)]
            #expect(try await world.post("sessions", login).slug == "nafath-needed")
            let removal = try await world.post(
                "accounts/me/nafath/removal", ["password": .string(email.password)],
                token: try Tokens(signedIn).access)
            #expect(removal.slug == "only-way-in")
        }
    }

    @Test("I5: Nafath is taken from an account that has a password, and its word with it")
    func removal() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let person = Person()
            let tokens = try await world.join(person)
            let path = "accounts/me/nafath/removal"
            let body: JSONValue = ["password": .string(person.password)]
            #expect(try await world.post(path, body, token: tokens.access).status == 404)
            _ = nafath.add("noura", jobTitle: "Registered Nurse", mobile: person.mobile)
            let begun = try await nafath.begin(token: tokens.access, password: person.password)
            let linked = try await nafath.finish(
                begun, code: try await nafath.code("noura", begun), token: tokens.access)
            #expect(linked.status == 204, "\(linked)")
            #expect(try await world.post(path, ["password": "Wrong-password-12"], token: tokens.access).status == 422)
            #expect(try await world.post(path, body, token: tokens.access).status == 204)
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" }.map(\.verified) == [false])
            #expect(try await world.deliveries().last?.request.text == "nafath-removed")
            #expect(try await world.post(path, body, token: tokens.access).status == 404)
        }
    }
}
