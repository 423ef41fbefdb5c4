import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("How often something may be proved and asked for", .timeLimit(.minutes(15)))
struct ProofLimitTests {
    @Test("I4: what costs a hash is limited by account, on all its routes together, and others are not touched")
    func hashes() async throws {
        let tight = ["SERAI_IDENTITY_RATE_PROVE_BURST": "7", "SERAI_IDENTITY_RATE_PROVE_PER_SECOND": "0.001"]
        try await World.run(tight) { world async throws in
            let (one, other) = (try await world.join(Person()), try await world.join(Person()))
            let paths = [
                "password", "email", "mobile", "second-factor", "second-factor/recovery-codes",
                "second-factor/removal", "nafath/removal", "deletion", "nafath",
            ]
            var refused: [String] = []
            for path in paths {
                let answer = try await world.post("accounts/me/\(path)", ["x": 1], token: one.access)
                if answer.status == 429 { refused.append(path) }
            }
            #expect(refused == ["deletion", "nafath"])
            for path in paths.prefix(7) {
                #expect(try await world.post("accounts/me/\(path)", [:], token: one.access).status == 429, "\(path)")
            }
            #expect(try await world.post("accounts/me/password", [:], token: other.access).status == 422)
            #expect(try await world.send("GET", "v1/accounts/me/deletion", token: one.access).status == 404)
        }
    }

    @Test("I3: asking for links and codes is limited by address, and others' addresses are not touched")
    func asking() async throws {
        let tight = ["SERAI_IDENTITY_RATE_ASK_BURST": "2", "SERAI_IDENTITY_RATE_ASK_PER_SECOND": "0.001"]
        try await World.run(tight) { world async throws in
            for (index, path) in ["v1/password-resets", "v1/confirmations/resend"].enumerated() {
                var statuses: [Int] = []
                for address in [1, 1, 1, 2] {
                    statuses.append(
                        try await world.send(
                            "POST", path, ["login": "nobody"], from: "203.0.\(113 + index).\(address)"
                        ).status)
                }
                #expect(statuses == [202, 202, 429, 202], "\(path)")
            }
        }
    }

    @Test(
        "I3: whoever asks for another's link again and again neither ends the last one at once nor keeps him from one")
    func others() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            _ = try await world.ask("password-resets", for: person.email)
            let first = try #require(try await world.deliveries().last?.token)
            for _ in 0..<9 {
                world.clock.advance(by: .seconds(60))
                _ = try await world.ask("password-resets", for: person.email)
            }
            #expect(try await world.deliveries().count == 1)
            let reset: JSONValue = ["token": .string(first), "password": "Another-2026-word"]
            #expect(try await world.post("password-resets/finish", reset).status == 204)
            // The whole day's are spent by somebody; the owner still gets one an hour.
            let before = try await world.deliveries().count
            for _ in 0..<30 {
                world.clock.advance(by: .seconds(601))
                _ = try await world.ask("password-resets", for: person.email)
            }
            let sent = try await world.deliveries().count - before
            #expect(sent > 20 && sent < 30, "\(sent)")
            world.clock.advance(by: .seconds(3_601))
            _ = try await world.ask("password-resets", for: person.email)
            let last = try #require(try await world.deliveries().last?.token)
            let late: JSONValue = ["token": .string(last), "password": "A-third-2026-word"]
            #expect(try await world.post("password-resets/finish", late).status == 204)
        }
    }

    @Test("I13, I3: a link for a password that somebody asks for does not end an invitation")
    func invitation() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let made = try await world.post(
                "markets/assef/people",
                [
                    "role": "customer", "name": .string(person.name), "email": .string(person.email),
                    "mobile": .string(person.mobile),
                ], token: admin.access)
            #expect(made.status == 201, "\(made)")
            let invitation = try #require(try await world.deliveries().last?.token)
            _ = try await world.ask("password-resets", for: person.email)
            #expect(try await world.deliveries().last?.request.text == "reset-password")
            world.clock.advance(by: .seconds(86_400))
            let body: JSONValue = ["token": .string(invitation), "password": .string(person.password)]
            #expect(try await world.post("password-resets/finish", body).status == 204)
            _ = try await world.logIn(person)
        }
    }

    @Test("I3: the password that there is is not taken for another one")
    func same() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let body: JSONValue = [
                "oldPassword": .string(person.password), "newPassword": .string(person.password),
            ]
            let changed = try await world.post("accounts/me/password", body, token: tokens.access)
            #expect(changed.fields == ["/newPassword": "same-password"])
            _ = try await world.ask("password-resets", for: person.email)
            let link = try #require(try await world.deliveries().last?.token)
            func reset(_ password: String) async throws -> Answer {
                try await world.post(
                    "password-resets/finish", ["token": .string(link), "password": .string(password)])
            }
            #expect(try await reset(person.password).fields == ["/password": "same-password"])
            #expect(try await reset("Another-2026-word").status == 204)
        }
    }

    @Test("I6: who has no password asks for an e-mail address within minutes of the login")
    func withoutPassword() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            _ = nafath.add("noura")
            let tokens = try Tokens(try await nafath.signIn("noura"))
            let fresh = Person().email
            func ask() async throws -> Answer {
                try await world.post("accounts/me/email", ["email": .string(fresh)], token: tokens.access)
            }
            #expect(try await ask().status == 202)
            let link = try #require(try await world.deliveries().last?.token)
            #expect(try await world.post("contact-changes/finish", ["token": .string(link)]).status == 204)
            let me = try await world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(me["email"] == fresh && me.json?["emailProved"] == true)
            world.clock.advance(by: .seconds(301))
            #expect(try await ask().slug == "login-too-old")
        }
    }
}
