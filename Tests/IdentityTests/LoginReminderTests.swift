import Contracts
import Foundation
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Who has not logged in for long", .timeLimit(.minutes(15)))
struct LoginReminderTests {
    private func remind(_ world: World) async throws -> [String] {
        let before = try await world.deliveries().count
        let reminder = RemindOfLogin(
            pool: world.pool, cipher: world.parts.cipher, deliver: world.parts.deliver, logger: TestThreads.logger,
            clock: { world.clock.now }, interval: .seconds(600))
        try await reminder.remind()
        return try await world.deliveries().dropFirst(before).map(\.contents.to).sorted()
    }

    @Test("I3: who has not logged in for a month is asked to, once for each absence, and the account goes on")
    func absent() async throws {
        try await World.run { world async throws in
            let (quiet, busy, new) = (Person(), Person(), Person())
            _ = try await world.join(quiet)
            let tokens = try await world.join(busy)
            #expect(try await remind(world).isEmpty)
            world.clock.advance(by: .seconds(29 * 86_400))
            let refreshed = try await world.post(
                "sessions/refresh", ["refreshToken": .string(tokens.refresh)], key: nil)
            #expect(refreshed.status == 200)
            try await world.register(new)
            #expect(try await remind(world).isEmpty)
            world.clock.advance(by: .seconds(2 * 86_400))
            // Who uses a session is not away.
            #expect(Set(try await remind(world)).subtracting([new.email]) == [quiet.email])
            #expect(try await remind(world).isEmpty)
            #expect(try await world.deliveries().map(\.request.text).contains("login-reminder"))
            #expect(
                try await world.post("sessions", ["login": .string(quiet.email), "password": .string(quiet.password)])
                    .status == 201)
            #expect(try await remind(world).isEmpty)
            world.clock.advance(by: .seconds(31 * 86_400))
            #expect(try await remind(world).contains(quiet.email))
        }
    }

    @Test("I3: who has no mail address is asked by SMS")
    func withoutMail() async throws {
        try await World.run { world async throws in
            let person = Person()
            let account = try await world.register(person)
            try await world.pool.execute(RemoveEmail(account: account))
            world.clock.advance(by: .seconds(31 * 86_400))
            #expect(try await remind(world) == [person.mobile])
            #expect(try await world.deliveries().last?.request.channel == .sms)
        }
    }

    @Test("I6: who wants no mails is asked by SMS, who wants neither not at all; what is done to the account is told")
    func muted() async throws {
        try await World.run { world async throws in
            let (mails, neither) = (Person(), Person())
            func choose(_ notices: JSONValue, _ person: Person) async throws -> Tokens {
                let tokens = try await world.join(person)
                let answer = try await world.send(
                    "PATCH", "v1/accounts/me", ["notices": notices], token: tokens.access)
                #expect(answer.status == 200, "\(answer)")
                return tokens
            }
            _ = try await choose(["mail": false], mails)
            let tokens = try await choose(["mail": false, "sms": false], neither)
            let change: JSONValue = ["oldPassword": .string(neither.password), "newPassword": "Another-2026-word"]
            #expect(try await world.post("accounts/me/password", change, token: tokens.access).status == 204)
            #expect(try await world.deliveries().last?.request.text == "password-changed")
            world.clock.advance(by: .seconds(31 * 86_400))
            #expect(try await remind(world) == [mails.mobile])
            #expect(try await remind(world).isEmpty)
        }
    }

    @Test("I3: who is not confirmed is not asked")
    func nobody() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let waiting = Person()
            #expect(try await world.post("accounts", waiting.json).status == 201)
            world.clock.advance(by: .seconds(31 * 86_400))
            #expect(try await remind(world).isEmpty)
        }
    }
}
