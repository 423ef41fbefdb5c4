import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiIdentity

@Suite("Nafath and accounts that there are", .timeLimit(.minutes(5)))
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
            #expect(try await link(nafath, ticket, ("password", person.password)).slug == "nafath-refused")
            // From now on Nafath alone is enough, and the password goes on.
            #expect(try Tokens(try await nafath.signIn("nurse")).account == account)
            #expect(try await nafath.world.logIn(person).account == account)
            #expect(known.mobile == person.mobile)
        }
    }

    @Test(
        "I5: by the code of an SMS the account is the number's owner's alone: password, mail and sessions of before end"
    )
    func sms() async throws {
        try await NafathWorld.run { nafath async throws in
            let squatter = Person()
            let before = try await nafath.world.join(squatter)
            _ = nafath.add("nurse", jobTitle: "Nurse", mobile: squatter.mobile)
            let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
            for _ in 0..<2 {
                let sent = try await nafath.world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
                #expect(sent.status == 202)
            }
            let deliveries = try await nafath.world.deliveries()
            #expect(deliveries.map(\.request.channel) == [.sms])
            #expect(deliveries.first?.contents.to == squatter.mobile)
            let code = try #require(deliveries.first?.contents.arguments["code"])
            let wrong = code == "000000" ? "000001" : "000000"
            #expect(try await link(nafath, ticket, ("code", wrong)).slug == "proof-refused")
            let linked = try await link(nafath, ticket, ("code", code))
            #expect(linked.status == 201, "\(linked)")
            let tokens = try Tokens(linked)
            #expect(tokens.account == before.account)
            #expect(try await nafath.world.send("GET", "v1/accounts/me", token: before.access).status == 401)
            #expect(try await nafath.world.send("GET", "v1/accounts/me", token: tokens.access)["email"] == nil)
            let login: JSONValue = ["login": .string(squatter.mobile), "password": .string(squatter.password)]
            #expect(try await nafath.world.post("sessions", login).status == 401)
            #expect(try await nafath.world.deliveries().map(\.request.text) == ["confirm-mobile", "password-changed"])
            // The address is free for whoever reads it.
            var other = squatter
            other.mobile = Person().mobile
            try await nafath.world.register(other)
        }
    }

    @Test("I5, I15: by the code of an SMS another's second factor goes too, and so does the login that waits for it")
    func waitingLogin() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let squatter = Person()
            let account = try await world.join(squatter).account
            let recovery = RecoveryCode.generate()
            let sealed = try world.parts.cipher.seal(bytes: TOTP.generate().secret, .secondFactor, of: account)
            try await world.pool.execute(PutSecondFactor(account: account, sealed: sealed, now: world.clock.now))
            try await world.pool.execute(
                ConfirmSecondFactor(account: account, sealed: sealed, now: world.clock.now, step: 1))
            try await world.pool.execute(
                InsertRecoveryCodes(account: account, hashes: [RecoveryCode.hash(recovery.text, of: account)]))
            let login: JSONValue = ["login": .string(squatter.mobile), "password": .string(squatter.password)]
            let waiting = try await world.post("sessions", login)
            #expect(waiting.status == 202)
            let challenge = try #require(waiting["challenge"])

            _ = nafath.add("nurse", jobTitle: "Nurse", mobile: squatter.mobile)
            let ticket = try #require(try await nafath.signIn("nurse")["ticket"])
            _ = try await world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            #expect(try await link(nafath, ticket, ("code", code)).status == 201)

            let late = try await world.post(
                "sessions/second-factor", ["challenge": .string(challenge), "code": .string(recovery.text)])
            #expect(late.slug == "proof-refused")
            #expect(try await world.pool.first(FindSecondFactor(account: account))?.sealed == nil)
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
            let admin = try await nafath.world.admin(of: "assef")
            let me = try await nafath.world.send("GET", "v1/accounts/me", token: admin.access)
            let mobile: String = try #require(me["mobile"])
            _ = nafath.add("nurse", mobile: mobile)
            let asked = try await nafath.signIn("nurse")
            #expect(asked.json?["ways"] == .array(["password"]))
            let ticket = try #require(asked["ticket"])
            let sent = try await nafath.world.post("sessions/nafath/code", ["ticket": .string(ticket)], key: nil)
            #expect(sent.status == 202)
            #expect(try await nafath.world.deliveries().isEmpty)
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
            #expect(try await nafath.world.events(DeliveryRequested.self).map(\.text) == ["nafath-linked"])
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

    @Test("I2: a mobile number that Nafath gave to somebody else is not the account of before")
    func recycled() async throws {
        try await NafathWorld.run { nafath async throws in
            let first = nafath.add("first")
            #expect(try await nafath.signIn("first").status == 201)
            _ = nafath.add("second", mobile: first.mobile)
            let answer = try await nafath.signIn("second")
            #expect(answer.slug == "account-exists")
            #expect(answer.fields == ["/mobile": "taken"])
        }
    }
}
