import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiIdentity

@Suite("Nafath and accounts that there are", .timeLimit(.minutes(15)))
struct NafathLinkTests {
    private func link(
        _ nafath: NafathWorld, _ ticket: String, _ word: (String, String)
    ) async throws -> Answer {
        try await nafath.world.post("sessions/nafath/link", ["ticket": .string(ticket), word.0: .string(word.1)])
    }

    @Test("I5: an account with the mobile number is never taken silently: its password is asked for")
    func password() async throws {
        try await NafathWorld.run { nafath async throws in
            let person = Person()
            let account = try await nafath.world.register(person)
            let known = nafath.add("nurse", jobTitle: "Nurse", mobile: person.mobile)
            let asked = try await nafath.signIn("nurse")
            #expect(asked.status == 202)
            #expect(asked.json?["ways"] == .array(["password", "sms"]))
            #expect(asked["accessToken"] == nil)
            #expect(!asked.description.contains(account.text))
            let ticket = try #require(asked["ticket"])
            #expect(try await link(nafath, ticket, ("password", "Wrong-password-12")).slug == "invalid-credentials")
            #expect(
                try await link(nafath, RefreshToken.generate().text, ("password", person.password)).slug
                    == "nafath-refused")
            let linked = try await link(nafath, ticket, ("password", person.password))
            #expect(linked.status == 201, "\(linked)")
            #expect(try Tokens(linked).account == account)
            #expect(nafath.roles(linked).map { $0["role"] } == ["customer", "provider"])
            #expect(try await nafath.world.deliveries().map(\.request.text).contains("nafath-linked"))
            #expect(try await link(nafath, ticket, ("password", person.password)).slug == "nafath-refused")
            // From now on Nafath alone is enough, and the password goes on.
            #expect(try Tokens(try await nafath.signIn("nurse")).account == account)
            #expect(try await nafath.world.logIn(person).account == account)
            #expect(known.mobile == person.mobile)
        }
    }

    @Test("I15: a password alone links no account that has a second factor; its owner adds Nafath from inside")
    func secondFactor() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let person = Person()
            let tokens = try await world.join(person)
            _ = nafath.add("nurse", mobile: person.mobile)
            let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
            let made = try await world.post(
                "accounts/me/second-factor", ["password": .string(person.password)], token: tokens.access)
            #expect(made.status == 201, "\(made)")
            let sealed = try #require(try await world.pool.first(FindSecondFactor(account: tokens.account))).sealed
            let totp = TOTP(secret: try world.parts.cipher.open(bytes: sealed, .secondFactor, of: tokens.account))
            let code = totp.code(at: TOTP.step(at: world.clock.now))
            let confirmed = try await world.post(
                "accounts/me/second-factor/confirmation", ["code": .string(code)], token: tokens.access)
            #expect(confirmed.status == 200, "\(confirmed)")
            // Also with a ticket of before.
            let linked = try await link(nafath, ticket, ("password", person.password))
            #expect(linked.slug == "nafath-refused" && linked["accessToken"] == nil)
            #expect(try await world.pool.first(FindNationalID(account: tokens.account)) == nil)
            #expect(try await nafath.signIn("nurse").json?["ways"] == .array(["sms"]))
            let begun = try await nafath.begin(token: tokens.access, password: person.password)
            let added = try await nafath.finish(
                begun, code: try await nafath.code("nurse", begun), token: tokens.access)
            #expect(added.status == 204, "\(added)")
            #expect(try await world.deliveries().last?.request.text == "nafath-linked")
        }
    }

    @Test(
        "I5: by the code of an SMS one gets the number and a new account; whose it was keeps all the rest, and is told")
    func sms() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let other = Person()
            let before = try await world.join(other)
            _ = nafath.add("nurse", jobTitle: "Nurse", mobile: other.mobile)
            let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
            for _ in 0..<2 {
                let sent = try await world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
                #expect(sent.status == 202)
            }
            let deliveries = try await world.deliveries()
            #expect(deliveries.map(\.request.channel) == [.sms])
            #expect(deliveries.first?.contents.to == other.mobile)
            let code = try #require(deliveries.first?.contents.arguments["code"])
            let wrong = code == "000000" ? "000001" : "000000"
            #expect(try await link(nafath, ticket, ("code", wrong)).slug == "proof-refused")
            let linked = try await link(nafath, ticket, ("code", code))
            #expect(linked.status == 201, "\(linked)")
            let tokens = try Tokens(linked)
            #expect(tokens.account != before.account)
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["mobile"] == other.mobile)
            let old = try await world.send("GET", "v1/accounts/me", token: before.access)
            #expect(old.status == 200 && old["mobile"] == nil && old["email"] == other.email)
            #expect(try await world.deliveries().map(\.request.text).filter { $0 == "mobile-taken" }.count == 1)
            let again = try await world.post(
                "sessions", ["login": .string(other.email), "password": .string(other.password)])
            #expect(again.status == 201 && again.json?["asks"] == .array(["mobile"]))
            #expect(try await link(nafath, ticket, ("code", code)).slug == "nafath-refused")
        }
    }

    @Test("I5, I13: an account that an admin has made and nobody has had is the person's by the code of an SMS")
    func invited() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let made = try await world.post(
                "markets/assef/people",
                [
                    "role": "customer", "name": .string(person.name), "email": .string(person.email),
                    "mobile": .string(person.mobile),
                ], token: admin.access)
            #expect(made.status == 201, "\(made)")
            _ = nafath.add("noura", mobile: person.mobile)
            let asked = try await nafath.signIn("noura")
            #expect(asked.json?["ways"] == .array(["sms"]))
            let ticket = try #require(asked["ticket"])
            _ = try await world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let linked = try await link(nafath, ticket, ("code", code))
            #expect(linked["account"] == made["account"] && linked.status == 201)
        }
    }

    @Test("I2, I5: Nafath's word and the password confirm nobody's mail: who waits for it holds no stranger's address")
    func mail() async throws {
        try await NafathWorld.run(confirmation: .email) { nafath async throws in
            let world = nafath.world
            let victim = Person()
            var squatter = Person()
            squatter.email = victim.email
            let registered = try await world.post("accounts", squatter.json)
            #expect(registered.status == 201)
            _ = nafath.add("squatter", mobile: squatter.mobile)
            let ticket = try #require(try await nafath.signIn("squatter")["ticket"])
            let linked = try await link(nafath, ticket, ("password", squatter.password))
            #expect(linked.slug == "not-confirmed" && linked["accessToken"] == nil)
            let login: JSONValue = ["login": .string(squatter.mobile), "password": .string(squatter.password)]
            #expect(try await world.post("sessions", login).slug == "not-confirmed")
            #expect(try await world.events(AccountRegistered.self).isEmpty)
            // It lapses as any other, and the address is there for its owner.
            world.clock.advance(by: .seconds(ProofRule.registrationSeconds + 1))
            try await PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(1)
            ).purge()
            #expect(try await world.post("accounts", victim.json).status == 201)
        }
    }

    @Test("I2, I5: who waits for the code to the very number that Nafath tells is confirmed by password and Nafath")
    func number() async throws {
        try await NafathWorld.run(confirmation: .sms) { nafath async throws in
            let world = nafath.world
            let person = Person()
            let registered = try await world.post("accounts", person.json)
            _ = nafath.add("nurse", mobile: person.mobile)
            let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
            let linked = try await link(nafath, ticket, ("password", person.password))
            #expect(linked.status == 201, "\(linked)")
            #expect(linked["account"] == registered["account"])
            #expect(try await world.events(AccountRegistered.self).count == 1)
        }
    }

    @Test("I5: five wrong codes are the end of one, and another sign-in gives no new tries of it")
    func guesses() async throws {
        try await NafathWorld.run { nafath async throws in
            let person = Person()
            try await nafath.world.register(person)
            _ = nafath.add("nurse", mobile: person.mobile)
            var tries = 0
            for round in 0..<6 {
                let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
                _ = try await nafath.world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
                let code = try #require(try await nafath.world.deliveries().last?.contents.arguments["code"])
                for _ in 0..<5 {
                    let wrong = code == "000000" ? "000001" : "000000"
                    #expect(try await link(nafath, ticket, ("code", wrong)).slug == "proof-refused")
                    tries += 1
                }
                // Used up; and after twenty in a day no code is good any more.
                #expect(try await link(nafath, ticket, ("code", code)).slug == "proof-refused", "round \(round)")
                nafath.world.clock.advance(by: .seconds(61))
            }
            #expect(tries == 30)
        }
    }

    @Test("I5: an admin's account is not had by an SMS")
    func admin() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            let me = try await world.send("GET", "v1/accounts/me", token: admin.access)
            let mobile: String = try #require(me["mobile"])
            _ = nafath.add("nurse", mobile: mobile)
            let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
            _ = try await world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let linked = try await link(nafath, ticket, ("code", code))
            #expect(try Tokens(linked).account != admin.account)
            #expect(nafath.roles(linked).map { $0["role"] } == ["customer"])
        }
    }

    @Test("I5: who is logged in adds Nafath to the account, whatever its number; one national id has one account")
    func loggedIn() async throws {
        try await NafathWorld.run { nafath async throws in
            let person = Person()
            let tokens = try await nafath.world.join(person)
            let other = try await nafath.world.join(Person())
            _ = nafath.add("nurse", jobTitle: "Nurse")
            _ = nafath.add("second")
            // The phone alone is not enough: who found it would have a way in for ever.
            for password in [nil, "Wrong-password-12"] {
                let body: JSONValue =
                    password.map { ["market": "assef", "password": .string($0)] } ?? ["market": "assef"]
                let answer = try await nafath.world.post("accounts/me/nafath", body, token: tokens.access, key: nil)
                #expect(answer.status == 422)
            }
            func add(_ name: String, _ tokens: Tokens) async throws -> Answer {
                let begun = try await nafath.begin(token: tokens.access, password: person.password)
                return try await nafath.finish(begun, code: try await nafath.code(name, begun), token: tokens.access)
            }
            #expect(try await add("nurse", tokens).status == 204)
            #expect(
                try await nafath.world.events(DeliveryRequested.self).map(\.text) == [
                    "provider-verified-subscribed", "nafath-linked",
                ])
            #expect(try Tokens(try await nafath.signIn("nurse")).account == tokens.account)
            #expect(try await add("nurse", other).slug == "national-id-taken")
            #expect(try await add("second", tokens).slug == "national-id-taken")
            #expect(try await add("nurse", tokens).status == 204)
        }
    }

    @Test("I5: what somebody began for an account is finished by that account, and is no login")
    func kinds() async throws {
        try await NafathWorld.run { nafath async throws in
            let person = Person()
            let owner = try await nafath.world.join(person)
            let thief = try await nafath.world.join(Person())
            let begun = try await nafath.begin(token: owner.access, password: person.password)
            let code = try await nafath.code("noura", begun)
            #expect(try await nafath.finish(begun, code: code, token: thief.access).slug == "nafath-refused")
            #expect(try await nafath.finish(begun, code: code).slug == "nafath-refused")
            let login = try await nafath.begin()
            let other = try await nafath.code("noura", login)
            #expect(try await nafath.finish(login, code: other, token: thief.access).slug == "nafath-refused")
        }
    }

    @Test("I2: a mobile number that Nafath gives to somebody else is his, and the account of before is not")
    func recycled() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let first = nafath.add("first")
            let old = try Tokens(try await nafath.signIn("first"))
            _ = nafath.add("second", mobile: first.mobile)
            let answer = try await nafath.signIn("second")
            #expect(answer.status == 201, "\(answer)")
            let new = try Tokens(answer)
            #expect(new.account != old.account)
            #expect(try await world.send("GET", "v1/accounts/me", token: new.access)["mobile"] == first.mobile)
            #expect(try await world.send("GET", "v1/accounts/me", token: old.access)["mobile"] == nil)
            // Nafath tells nothing new of the first: the number does not go back and forth.
            let again = try await nafath.signIn("first")
            #expect(try Tokens(again).account == old.account && again.json?["asks"] == .array(["mobile", "terms"]))
            #expect(try await world.send("GET", "v1/accounts/me", token: new.access)["mobile"] == first.mobile)
        }
    }

    @Test("I5: a newer number of Nafath's is taken over, and one that the owner has chosen since is not undone")
    func newer() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let person = nafath.add("noura")
            let holder = Person()
            let others = try await world.join(holder)
            _ = try await nafath.signIn("noura")
            func move(to mobile: String) async throws -> Answer {
                nafath.issuer.add(
                    TestPerson(
                        nationalID: person.nationalID, firstName: "Noura", lastName: "Al-Harbi", mobile: mobile,
                        gender: "female", jobTitle: nil), as: "noura")
                let tokens = try Tokens(try await nafath.signIn("noura"))
                return try await world.send("GET", "v1/accounts/me", token: tokens.access)
            }
            let moved = try await move(to: holder.mobile)
            #expect(moved["mobile"] == holder.mobile && moved.json?["mobileProved"] == true)
            let theirs = try await world.send("GET", "v1/accounts/me", token: others.access)
            #expect(theirs.status == 200 && theirs["mobile"] == nil)
            let chosen = Person().mobile
            let tokens = try Tokens(try await nafath.signIn("noura"))
            let ask = try await world.post("accounts/me/mobile", ["mobile": .string(chosen)], token: tokens.access)
            #expect(ask.status == 202, "\(ask)")
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let entered = try await world.post(
                "accounts/me/mobile/code", ["code": .string(code)], token: tokens.access)
            #expect(entered.status == 204)
            #expect(try await move(to: holder.mobile)["mobile"] == chosen)
        }
    }
}
