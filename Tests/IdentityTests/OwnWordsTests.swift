import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What people say of themselves, and what others see", .timeLimit(.minutes(15)))
struct OwnWordsTests {
    @Test("I6: notices are chosen by way, told to others, and what is absent stays")
    func notices() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            func change(_ body: JSONValue) async throws -> JSONValue? {
                try await world.send("PATCH", "v1/accounts/me", body, token: tokens.access).json?["notices"]
            }
            #expect(try await change(["notices": ["sms": false]]) == ["mail": true, "sms": false, "push": true])
            #expect(try await change(["notices": ["push": false]]) == ["mail": true, "sms": false, "push": false])
            #expect(try await world.events(AccountChanged.self).map(\.account.muted) == [["sms"], ["sms", "push"]])
            let wrong = try await world.send(
                "PATCH", "v1/accounts/me", ["notices": ["mail": "no"], "birthDate": "1990-02-30"], token: tokens.access)
            #expect(wrong.fields == ["/notices/mail": "not-true-or-false", "/birthDate": "not-a-date"])
        }
    }

    @Test("I6: a date of birth is the owner's alone, and one that has been")
    func birthDate() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            func change(_ day: String) async throws -> Answer {
                try await world.send(
                    "PATCH", "v1/accounts/me", ["birthDate": .string(day)], token: tokens.access)
            }
            #expect(try await change("1990-05-17")["birthDate"] == "1990-05-17")
            #expect(try await change("2999-01-01").fields == ["/birthDate": "not-in-the-past"])
            #expect(try await change("1800-01-01").fields == ["/birthDate": "too-long-ago"])
            #expect(try await change("17.05.1990").fields == ["/birthDate": "not-a-date"])
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["birthDate"] == "1990-05-17")
            #expect(try await world.events(AccountChanged.self).isEmpty)
        }
    }

    @Test("P1: one account goes on in any of its roles, and in no other")
    func activeRole() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            func activate(_ role: String, _ market: String = "assef") async throws -> Answer {
                try await world.send(
                    "PUT", "v1/accounts/me/active-role", ["market": .string(market), "role": .string(role)],
                    token: tokens.access)
            }
            #expect(try await activate("provider").fields == ["/role": "not-your-role"])
            let role: JSONValue = ["market": "assef", "role": "provider", "title": "nurse", "terms": "2026-11"]
            #expect(try await world.post("accounts/me/roles", role, token: tokens.access).status == 201)
            let answer = try await activate("provider")
            #expect(answer.status == 200)
            #expect(answer.json?["active"] == ["market": "assef", "role": "provider"])
            #expect(try await activate("customer").json?["active"] == ["market": "assef", "role": "customer"])
            for (kind, market) in [("admin", "assef"), ("customer", "hajji"), ("customer", "*")] {
                #expect(try await activate(kind, market).status == 422)
            }
            #expect(try await activate("queen").fields == ["/role": "not-a-choice"])
            let me = try await world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(me.json?["active"] == ["market": "assef", "role": "customer"])
        }
    }

    @Test("I6, P8: people of a market see each other's name and picture, and no contact that nobody has published")
    func publicPage() async throws {
        for isOpen in [false, true] {
            try await World.run(onboarding: isOpen ? .carrepsaInAssef : nil) { world async throws in
                let nurse = Person.provider()
                let tokens = try await world.join(nurse)
                let caller = try await world.join(Person())
                let path = "v1/markets/assef/people/\(tokens.account.text)"
                let page = try await world.send("GET", path, token: caller.access)
                #expect(page.status == 200)
                #expect(page["name"] == nurse.name)
                #expect(page["avatar"] == "/identity/v1/markets/assef/logo")
                // Where contact is open the account's confirmation is what verifies.
                let role: JSONValue = [
                    "role": "provider", "title": "nurse", "titleName": "ممرض", "verified": .bool(isOpen),
                ]
                #expect(page.json?["roles"] == .array([role]))
                #expect(page["email"] == nil && page["mobile"] == nil)
            }
        }
    }

    @Test("I6, Q7: there is no page of who is nobody in the market, is banned there, or waits to be confirmed")
    func noPage() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let banned = try await world.register(Person())
            let ban: JSONValue = ["account": .string(banned.text), "reason": "x"]
            #expect(try await world.post("markets/assef/bans", ban, token: admin.access).status == 201)
            for account in [banned, admin.account, UUID()] {
                let path = "v1/markets/assef/people/\(account.text)"
                #expect(try await world.send("GET", path, token: admin.access).status == 404)
            }
        }
        try await World.run(confirmation: .email) { world async throws in
            let admin = try await world.admin(of: "*")
            let waiting = try await world.register(Person())
            let path = "v1/markets/assef/people/\(waiting.text)"
            #expect(try await world.send("GET", path, token: admin.access).status == 404)
        }
    }
}
