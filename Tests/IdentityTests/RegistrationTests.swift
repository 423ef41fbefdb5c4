import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Registering", .timeLimit(.minutes(15)))
struct RegistrationTests {
    @Test("I1: a customer is registered and told of, with what others may know")
    func customer() async throws {
        try await World.run { world async throws in
            let person = Person()
            let answer = try await world.send("POST", "v1/accounts", person.json, language: "ar-SA, en;q=0.5")
            #expect(answer.status == 201)
            let account = try #require(answer["account"].flatMap(UUID.init(uuidString:)))
            #expect(answer.json?["roles"] == .array([["market": "assef", "role": "customer", "verified": true]]))
            let events = try await world.events(AccountRegistered.self)
            #expect(
                events.map(\.account) == [
                    AccountSnapshot(
                        account: account, version: 1, name: person.name, gender: nil, language: "ar",
                        roles: [.init(market: "assef", role: "customer", verified: true)])
                ])
        }
    }

    @Test("I7: a provider has one of the market's titles and is not verified yet")
    func provider() async throws {
        try await World.run { world async throws in
            var person = Person.provider("doctor")
            let answer = try await world.post("accounts", person.json)
            #expect(answer.status == 201)
            let role = try await world.events(AccountRegistered.self).first?.account.roles.first
            #expect(role == .init(market: "assef", role: "provider", title: "doctor", verified: false))
            person = .provider("pilot")
            let wrong = try await world.post("accounts", person.json)
            #expect(wrong.fields == ["/title": "not-a-choice"])
            #expect(wrong.description.contains("physiotherapist"))
            person.title = nil
            #expect(try await world.post("accounts", person.json).fields == ["/title": "required"])
            person.role = "customer"
            person.title = "nurse"
            #expect(try await world.post("accounts", person.json).fields == ["/title": "invalid-value"])
        }
    }

    @Test("I1: all wrong fields are answered together, with hints in the caller's language, and nothing is changed")
    func allFields() async throws {
        try await World.run { world async throws in
            let required = ["market", "role", "name", "email", "mobile", "password"]
            let missing = try await world.post("accounts", [:])
            #expect(missing.status == 422)
            #expect(missing.fields == Dictionary(uniqueKeysWithValues: required.map { ("/\($0)", "required") }))
            let wrong = try await world.send(
                "POST", "v1/accounts",
                [
                    "market": "mars", "role": "admin", "name": "A\u{7}li", "email": "no address",
                    "mobile": "0501234567", "password": "short", "gender": "x", "language": "fr", "title": 5,
                ], language: "ar")
            #expect(
                wrong.fields == [
                    "/market": "not-a-choice", "/role": "not-a-choice", "/name": "control-characters",
                    "/email": "not-an-email", "/mobile": "not-a-phone-number", "/password": "password-rules",
                    "/gender": "not-a-choice", "/language": "not-a-choice", "/title": "not-a-text",
                ])
            #expect(wrong.headers["content-language"] == "ar")
            #expect(wrong.description.contains("يرجى اختيار 10 أحرف"))
            #expect(!wrong.description.contains("short"))
            #expect(try await world.events(AccountRegistered.self).isEmpty)
        }
    }

    @Test(
        "P10: a body that is no object of the right kind is the caller's error, never ours",
        arguments: [
            "[]", "null", "1", "{\"name\":", "{\"email\": {}}", "\"\u{fffd}\"", "{\"name\": \"\\u0000\"}",
        ])
    func badBodies(body: String) async throws {
        try await World.run { world async throws in
            // A string goes as raw bytes where it is no JSON value of its own.
            let json = (try? JSONValue(parsing: Array(body.utf8))) ?? .string(body)
            for path in ["accounts", "sessions", "sessions/refresh"] {
                let answer = try await world.post(path, json)
                #expect([400, 422].contains(answer.status), "\(path) \(body): \(answer)")
            }
        }
    }

    @Test("I2: a taken e-mail address and a taken mobile number are a 409 that names both")
    func taken() async throws {
        try await World.run { world async throws in
            let first = Person()
            try await world.register(first)
            var both = Person()
            both.email = first.email.uppercased()
            both.mobile = first.mobile.replacing("+966", with: "00966 ")
            let answer = try await world.post("accounts", both.json)
            #expect(answer.status == 409)
            #expect(answer.slug == "account-exists")
            #expect(answer.fields == ["/email": "taken", "/mobile": "taken"])
            both.mobile = Person().mobile
            #expect(try await world.post("accounts", both.json).fields == ["/email": "taken"])
            #expect(try await world.events(AccountRegistered.self).count == 1)
        }
    }

    @Test("I2: of registrations of one e-mail address at once one succeeds")
    func race() async throws {
        try await World.run { world async throws in
            let email = Person().email
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        var person = Person()
                        person.email = email
                        return try await world.post("accounts", person.json)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [201, 409, 409, 409, 409, 409])
            #expect(answers.filter { $0.status == 409 }.allSatisfy { $0.fields == ["/email": "taken"] })
            #expect(try await world.events(AccountRegistered.self).count == 1)
        }
    }

    @Test("a registration that is repeated with its Idempotency-Key happens once, with another body it is refused")
    func idempotent() async throws {
        try await World.run { world async throws in
            let person = Person()
            let key = UUID().uuidString
            let first = try await world.post("accounts", person.json, key: key)
            let second = try await world.post("accounts", person.json, key: key)
            #expect(first.status == 201)
            #expect(second.status == 201)
            #expect(second.bytes == first.bytes)
            #expect(second.headers["idempotency-replayed"] == "true")
            #expect(try await world.post("accounts", Person().json, key: key).slug == "idempotency-key-reused")
            #expect(try await world.post("accounts", Person().json, key: nil).slug == "idempotency-key-missing")
            #expect(try await world.events(AccountRegistered.self).count == 1)
        }
    }

    @Test("registrations and logins from one address are limited, others are not touched")
    func rate() async throws {
        let tight = [
            "SERAI_IDENTITY_RATE_REGISTER_BURST": "2", "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "0.001",
            "SERAI_IDENTITY_RATE_LOGIN_BURST": "2", "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "0.001",
        ]
        try await World.run(tight) { world async throws in
            for path in ["v1/accounts", "v1/sessions"] {
                var statuses: [Int] = []
                for address in ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"] {
                    let answer = try await world.send("POST", path, [:], from: address)
                    statuses.append(answer.status)
                    if answer.status == 429 { #expect(answer.headers["retry-after"] != nil) }
                }
                #expect(statuses == [422, 422, 429, 422], "\(path)")
            }
        }
    }
}
