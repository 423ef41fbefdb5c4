import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Families where a mail confirms accounts", .timeLimit(.minutes(15)))
struct FamilyByMailTests {
    /// Confirmed by the mail alone: nobody has proved a number.
    private func join(_ world: World, _ person: Person) async throws -> Tokens {
        #expect(try await world.post("accounts", person.json).status == 201)
        let link = try #require(try await world.deliveries().last?.token)
        #expect(try await world.post("confirmations", ["token": .string(link)]).status == 204)
        return try await world.logIn(person)
    }

    private func ask(_ world: World, _ tokens: Tokens, _ contact: [String: JSONValue]) async throws -> Answer {
        let body: [String: JSONValue] = ["kind": "family", "market": "assef", "scopes": ["order", "see"]]
        return try await world.post("accounts/me/links", .object(body.merging(contact) { $1 }), token: tokens.access)
    }

    @Test(
        "I9: a relative whose account a mail has confirmed is asked for by the address, agrees, and an admin approves")
    func whole() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let (first, second) = (Person(), Person())
            let (asking, asked) = (try await join(world, first), try await join(world, second))
            let number = try await ask(world, asking, ["mobile": .string(second.mobile)])
            #expect(number.fields == ["/mobile": "unknown-mobile"])
            // As somebody else writes it.
            let answer = try await ask(world, asking, ["email": .string(second.email.uppercased())])
            #expect(answer.status == 201, "\(answer)")
            let link = try #require(answer["link"])
            let agreed = try await world.post("accounts/me/links/\(link)/agreement", [:], token: asked.access)
            #expect(agreed["state"] == "agreed", "\(agreed)")
            let admin = try await world.admin(of: "assef")
            let approved = try await world.post("markets/assef/links/\(link)/approval", [:], token: admin.access)
            #expect(approved["state"] == "confirmed", "\(approved)")
            #expect(try await world.events(LinkConfirmed.self).map(\.to) == [asked.account])
        }
    }

    @Test("I9: an address that nobody has proved, and one's own, link nobody; askings by address count as the others")
    func nobody() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let (person, waiting) = (Person(), Person())
            let tokens = try await join(world, person)
            #expect(try await world.post("accounts", waiting.json).status == 201)
            let own = try await ask(world, tokens, ["email": .string(person.email)])
            #expect(own.fields == ["/email": "own-email"])
            let unproved = try await ask(world, tokens, ["email": .string(waiting.email)])
            let unknown = try await ask(world, tokens, ["email": "nobody@example.com"])
            #expect(unproved.fields == ["/email": "unknown-email"] && unknown.fields == unproved.fields)
            #expect(try await ask(world, tokens, [:]).fields == ["/mobile": "required"])
            let friend = try await world.post(
                "accounts/me/links", ["kind": "friend", "email": .string(person.email)], token: tokens.access)
            #expect(friend.fields == ["/mobile": "required"])
            for _ in 3..<LinkRule.askedPerDay {
                _ = try await ask(world, tokens, ["email": "nobody@example.com"])
            }
            #expect(try await ask(world, tokens, ["email": "nobody@example.com"]).slug == "links-asked")
        }
    }
}
