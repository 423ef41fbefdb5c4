import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Profiles and roles", .timeLimit(.minutes(15)))
struct ProfileTests {
    @Test("I6: name, gender and language are changed and told; what is absent stays")
    func change() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let answer = try await world.send(
                "PATCH", "v1/accounts/me", ["name": " Nora ", "language": "ar", "gender": .null], token: tokens.access)
            #expect(answer.status == 200)
            #expect(answer["name"] == "Nora")
            #expect(answer["language"] == "ar")
            #expect(answer["gender"] == nil)
            #expect(
                try await world.send("PATCH", "v1/accounts/me", ["name": "Nora"], token: tokens.access).status == 200)
            let events = try await world.events(AccountChanged.self)
            #expect(events.map(\.account.version) == [2])
            #expect(events.first?.account.name == "Nora")
            let wrong = try await world.send(
                "PATCH", "v1/accounts/me", ["name": "\u{0}", "gender": "x"], token: tokens.access)
            #expect(wrong.fields == ["/name": "control-characters", "/gender": "not-a-choice"])
        }
    }

    @Test("versions grow by one with each change, also when changes come at once")
    func versions() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...8 {
                    group.addTask {
                        try await world.send(
                            "PATCH", "v1/accounts/me", ["name": .string("Name \(number)")], token: tokens.access
                        ).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await world.events(AccountChanged.self).map(\.account.version) == Array(2...9))
        }
    }

    @Test("P1: an account takes each role in a market once, however often it is asked")
    func roles() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let role: JSONValue = ["market": "assef", "role": "provider", "title": "nurse", "terms": "2026-11"]
            let key = UUID().uuidString
            let first = try await world.post("accounts/me/roles", role, token: tokens.access, key: key)
            #expect(first.status == 201)
            #expect(
                try await world.post("accounts/me/roles", role, token: tokens.access, key: key).bytes == first.bytes)
            let again = try await world.post("accounts/me/roles", role, token: tokens.access)
            #expect(again.status == 409)
            #expect(again.slug == "role-exists")
            #expect(again["state"] == "waiting")
            for wrong: JSONValue in [
                ["market": "assef", "role": "admin"], ["market": "*", "role": "customer"],
                ["market": "assef", "role": "provider", "title": "pilot"],
            ] {
                #expect(try await world.post("accounts/me/roles", wrong, token: tokens.access).status == 422)
            }
            #expect(try await world.events(AccountChanged.self).map(\.account.roles.count) == [2])
        }
    }

    @Test("an account that is gone has no profile")
    func gone() async throws {
        try await World.run { world async throws in
            let account = Account(
                id: .timeOrdered(), name: try PersonName("Noura"), gender: nil, language: .english,
                role: .customer(in: "assef"))
            let token = try await world.parts.tokens.issue(
                to: account, session: .timeOrdered(), isStrong: false, at: Date())
            #expect(try await world.send("GET", "v1/accounts/me", token: token).status == 404)
            #expect(try await world.send("PATCH", "v1/accounts/me", ["name": "Nora"], token: token).status == 404)
            let role: JSONValue = ["market": "assef", "role": "customer", "terms": "2026-11"]
            #expect(try await world.post("accounts/me/roles", role, token: token).status == 404)
        }
    }
}
