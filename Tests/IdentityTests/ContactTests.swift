import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Another e-mail address, another mobile number", .timeLimit(.minutes(15)))
struct ContactTests {
    @Test("I6: a new e-mail address counts once its link was opened, and the old one is told")
    func email() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let fresh = Person().email
            let answer = try await ask(world, "email", fresh, person.password, tokens)
            #expect(answer.status == 202)
            let mail = try #require(try await world.deliveries().first)
            #expect(mail.request.text == "confirm-new-email")
            #expect(mail.contents.to == fresh)
            #expect(mail.contents.arguments["link"]?.contains("/contact#token=") == true)
            let before = try await world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(before["email"] == person.email)
            #expect(before["newEmail"] == fresh)
            let token = try #require(mail.token)
            #expect(try await world.post("contact-changes/finish", ["token": .string(token)]).status == 204)
            #expect(try await world.post("contact-changes/finish", ["token": .string(token)]).slug == "proof-refused")
            let after = try await world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(after["email"] == fresh)
            #expect(after["newEmail"] == nil)
            let told = try #require(try await world.deliveries().last)
            #expect(told.request.text == "email-changed")
            #expect(told.contents.to == person.email)
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).slug == "invalid-credentials")
            let other: JSONValue = ["login": .string(fresh), "password": .string(person.password)]
            #expect(try await world.post("sessions", other).status == 201)
        }
    }

    @Test("I6: a new mobile number counts once its code was entered by its owner, who has five tries")
    func mobile() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let other = try await world.join(Person())
            let fresh = "+966551234567"
            #expect(try await ask(world, "mobile", "00966 55 123 4567", person.password, tokens).status == 202)
            let sms = try #require(try await world.deliveries().first)
            #expect(sms.request.channel == .sms)
            #expect(sms.contents.to == fresh)
            let code = try #require(sms.contents.arguments["code"])
            func enter(_ code: String, _ tokens: Tokens) async throws -> Answer {
                try await world.post("accounts/me/mobile/code", ["code": .string(code)], token: tokens.access)
            }
            #expect(try await enter(code, other).slug == "proof-refused")
            for _ in 0..<4 {
                #expect(try await enter(code == "000000" ? "000001" : "000000", tokens).slug == "proof-refused")
            }
            #expect(try await enter(code, tokens).status == 204)
            #expect(try await enter(code, tokens).slug == "proof-refused")
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["mobile"] == fresh)
            #expect(try await world.deliveries().map(\.request.text).last == "mobile-changed")
            world.clock.advance(by: .seconds(61))
            #expect(try await ask(world, "mobile", "+966557654321", person.password, tokens).status == 202)
            let next = try #require(try await world.deliveries().last?.contents.arguments["code"])
            for _ in 0..<5 {
                #expect(try await enter(next == "000000" ? "000001" : "000000", tokens).slug == "proof-refused")
            }
            #expect(try await enter(next, tokens).slug == "proof-refused")
        }
    }

    @Test("I6, I3: with the password's change an address that was asked for before is worth nothing")
    func changedPassword() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            #expect(try await ask(world, "email", Person().email, person.password, tokens).status == 202)
            let link = try #require(try await world.deliveries().first?.token)
            let body: JSONValue = ["oldPassword": .string(person.password), "newPassword": "Another-2026-word"]
            #expect(try await world.post("accounts/me/password", body, token: tokens.access).status == 204)
            let late = try await world.post("contact-changes/finish", ["token": .string(link)])
            #expect(late.slug == "proof-refused")
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["email"] == person.email)
        }
    }

    @Test("I6: nobody changes it without the password, into somebody else's, or more than once a minute")
    func refused() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let other = Person()
            let others = try await world.join(other)
            let wrong = try await ask(world, "email", Person().email, "Wrong-password-12", tokens)
            #expect(wrong.fields == ["/password": "wrong-password"])
            let taken = try await ask(world, "email", other.email.uppercased(), person.password, tokens)
            // Whoever merely asks is not told; whoever reads it is.
            #expect(taken.status == 202)
            let theirs = try #require(try await world.deliveries().last)
            #expect(theirs.contents.to == other.email.uppercased())
            let used = try await world.post(
                "contact-changes/finish", ["token": .string(try #require(theirs.token))])
            #expect(used.status == 409)
            #expect(used.fields == ["/email": "taken"])
            world.clock.advance(by: .seconds(61))
            #expect(
                try await world.post("accounts/me/email", ["email": "x", "password": 5], token: tokens.access).fields
                    == ["/email": "not-an-email", "/password": "not-a-text"])
            let wanted = Person().email
            #expect(try await ask(world, "email", wanted, person.password, tokens).status == 202)
            #expect(try await ask(world, "email", wanted, person.password, tokens).status == 429)
            // Both ask for the same; who confirms first has it.
            #expect(try await ask(world, "email", wanted, other.password, others).status == 202)
            // The first one went to the other's own address.
            let links = try await world.deliveries().filter { $0.request.text == "confirm-new-email" }
                .dropFirst().compactMap(\.token)
            try #require(links.count == 2)
            #expect(try await world.post("contact-changes/finish", ["token": .string(links[1])]).status == 204)
            let late = try await world.post("contact-changes/finish", ["token": .string(links[0])])
            #expect(late.status == 409)
            #expect(late.fields == ["/email": "taken"])
        }
    }

    @Test("I3, I6: a link for a new password that went to the old address is worth nothing after the change")
    func oldLinks() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            #expect(try await ask(world, "email", Person().email, person.password, tokens).status == 202)
            let change = try #require(try await world.deliveries().last?.token)
            _ = try await world.ask("password-resets", for: person.email)
            let reset = try #require(try await world.deliveries().last?.token)
            #expect(try await world.post("contact-changes/finish", ["token": .string(change)]).status == 204)
            let late = try await world.post(
                "password-resets/finish", ["token": .string(reset), "password": "Another-2026-word"])
            #expect(late.slug == "proof-refused")
        }
    }

    private func ask(
        _ world: World, _ field: String, _ value: String, _ password: String, _ tokens: Tokens
    ) async throws -> Answer {
        try await world.post(
            "accounts/me/\(field)", [field: .string(value), "password": .string(password)], token: tokens.access)
    }
}
