import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Confirming an account", .timeLimit(.minutes(15)))
struct ConfirmationTests {
    private func logIn(_ world: World, _ person: Person) async throws -> Answer {
        try await world.post("sessions", ["login": .string(person.email), "password": .string(person.password)])
    }

    @Test("I2: where the market says so, the mail's link comes before the first login, and others are told then")
    func link() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let person = Person()
            let registered = try await world.post("accounts", person.json)
            #expect(registered.status == 201)
            #expect(registered["confirmation"] == "email")
            let refused = try await logIn(world, person)
            #expect(refused.status == 403)
            #expect(refused.slug == "not-confirmed")
            #expect(refused["confirmation"] == "email")
            #expect(try await world.events(AccountRegistered.self).isEmpty)
            let mail = try #require(try await world.deliveries().first)
            #expect(mail.request.text == "confirm-email")
            #expect(mail.contents.to == person.email)
            #expect(mail.contents.arguments["name"] == person.name)
            let token = try #require(mail.token)
            for wrong in ["x", RefreshToken.generate().text] {
                #expect(try await world.post("confirmations", ["token": .string(wrong)]).slug == "proof-refused")
            }
            #expect(try await world.post("confirmations", ["token": .string(token)]).status == 204)
            #expect(try await world.post("confirmations", ["token": .string(token)]).slug == "proof-refused")
            #expect(try await world.events(AccountRegistered.self).count == 1)
            #expect(try await logIn(world, person).status == 201)
        }
    }

    @Test("I2: a link is sent again once a minute; the one before is worth nothing then; nobody learns who waits")
    func resent() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            func resend(_ login: String) async throws -> Answer {
                try await world.ask("confirmations/resend", for: login)
            }
            let known = try await resend(person.email)
            let unknown = try await resend(Person().email)
            #expect(known.status == 202)
            #expect(known.bytes == unknown.bytes)
            #expect(try await world.deliveries().count == 1)
            world.clock.advance(by: .seconds(61))
            #expect(try await resend(person.mobile).status == 202)
            let mails = try await world.deliveries()
            #expect(mails.count == 2)
            let (old, new) = (try #require(mails[0].token), try #require(mails[1].token))
            #expect(try await world.post("confirmations", ["token": .string(old)]).slug == "proof-refused")
            world.clock.advance(by: .seconds(86_401))
            #expect(try await world.post("confirmations", ["token": .string(new)]).slug == "proof-refused")
        }
    }

    @Test("I2: a registration that nobody confirms lapses after a day, and its e-mail address is free again")
    func lapsed() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            #expect(try await world.post("accounts", person.json).status == 409)
            let purge = PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(600))
            world.clock.advance(by: .seconds(86_300))
            try await purge.purge()
            #expect(try await world.post("accounts", person.json).status == 409)
            world.clock.advance(by: .seconds(200))
            try await purge.purge()
            #expect(try await world.post("accounts", person.json).status == 201)
        }
    }

    @Test("I2: the code of an SMS confirms and logs in; five wrong ones are the end of it")
    func code() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            func confirm(_ person: Person, _ code: String) async throws -> Answer {
                try await world.post(
                    "confirmations/code", ["login": .string(person.mobile), "code": .string(code)])
            }
            let (person, other) = (Person(), Person())
            for one in [person, other] { #expect(try await world.post("accounts", one.json)["confirmation"] == "sms") }
            let sent = try await world.deliveries()
            #expect(sent.map(\.request.channel) == [.sms, .sms])
            let code = try #require(sent.first { $0.contents.to == person.mobile }?.contents.arguments["code"])
            let wrong = code == "000000" ? "000001" : "000000"
            #expect(try await confirm(Person(), code).slug == "proof-refused")
            for _ in 0..<4 { #expect(try await confirm(person, wrong).slug == "proof-refused") }
            let tokens = try Tokens(try await confirm(person, code))
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 200)
            let right = try #require(sent.first { $0.contents.to == other.mobile }?.contents.arguments["code"])
            for _ in 0..<5 {
                #expect(try await confirm(other, right == "000000" ? "000001" : "000000").slug == "proof-refused")
            }
            #expect(try await confirm(other, right).slug == "proof-refused")
        }
    }
}

@Suite("Passwords that are changed and forgotten", .timeLimit(.minutes(15)))
struct PasswordTests {
    private static let next = "Another-2026-word"

    @Test("I3: who has forgotten the password sets one by the mail's link; all sessions end and a mail tells of it")
    func forgotten() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let known = try await world.ask("password-resets", for: person.mobile)
            let unknown = try await world.ask("password-resets", for: Person().email)
            #expect(known.status == 202)
            #expect(unknown.status == 202)
            #expect(known.bytes == unknown.bytes)
            let mail = try #require(try await world.deliveries().first)
            #expect(mail.request.text == "reset-password")
            let token: JSONValue = .string(try #require(mail.token))
            let weak = try await world.post("password-resets/finish", ["token": token, "password": "weak"])
            #expect(weak.fields == ["/password": "password-rules"])
            let body: JSONValue = ["token": token, "password": .string(Self.next)]
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 { group.addTask { try await world.post("password-resets/finish", body).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.sorted() == [204, 422, 422])
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).slug == "token-expired")
            #expect(try await world.deliveries().map(\.request.text) == ["reset-password", "password-changed"])
            var same = person
            #expect(
                try await world.post("sessions", ["login": .string(same.email), "password": .string(same.password)])
                    .status == 401)
            same.password = Self.next
            _ = try await world.logIn(same)
        }
    }

    @Test("I3: a link for a password is good for an hour")
    func late() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            _ = try await world.ask("password-resets", for: person.email)
            let token = try #require(try await world.deliveries().first?.token)
            world.clock.advance(by: .seconds(3_601))
            let body: JSONValue = ["token": .string(token), "password": .string(Self.next)]
            #expect(try await world.post("password-resets/finish", body).slug == "proof-refused")
            // A link for one purpose is none for another.
            #expect(try await world.post("confirmations", ["token": .string(token)]).slug == "proof-refused")
        }
    }

    @Test("I3: a changed password asks for the old one, ends the other sessions, and a mail tells of it")
    func changed() async throws {
        try await World.run { world async throws in
            let person = Person()
            let phone = try await world.join(person)
            let laptop = try await world.logIn(person)
            func change(_ old: String) async throws -> Answer {
                try await world.post(
                    "accounts/me/password", ["oldPassword": .string(old), "newPassword": .string(Self.next)],
                    token: phone.access)
            }
            let wrong = try await change("Wrong-password-12")
            #expect(wrong.status == 422)
            #expect(wrong.fields == ["/oldPassword": "wrong-password"])
            #expect(try await world.send("GET", "v1/accounts/me", token: laptop.access).status == 200)
            #expect(try await change(person.password).status == 204)
            #expect(try await world.send("GET", "v1/accounts/me", token: laptop.access).status == 401)
            #expect(try await world.send("GET", "v1/accounts/me", token: phone.access).status == 200)
            #expect(try await world.deliveries().map(\.request.text) == ["password-changed"])
            for _ in 0..<4 { _ = try await change("Wrong-password-12") }
            #expect(try await change(Self.next).slug == "login-delayed")
        }
    }

    @Test("I3: a password of more than a year is asked about, and the account goes on")
    func old() async throws {
        try await World.run(clock: FixedClock(Date() - 366 * 86_400)) { world async throws in
            let person = Person()
            try await world.register(person)
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).json?["asks"] == nil)
            world.clock.advance(by: .seconds(366 * 86_400))
            let answer = try await world.post("sessions", login)
            #expect(answer.status == 201)
            #expect(answer.json?["asks"] == .array(["change-password"]))
        }
    }

    @Test("I14: what is asked to be sent shows neither address nor link in tables and messages")
    func sealed() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            let token = try #require(try await world.deliveries().first?.token)
            let dump = try #require(try await world.pool.first(DumpTables()))
            #expect(!dump.lowercased().contains(person.email.lowercased()))
            #expect(!dump.contains(token))
        }
    }
}

/// What notifications is asked to send, opened as it opens it.
struct OpenedDelivery: Sendable {
    let request: DeliveryRequested
    let contents: DeliverySeal.Contents

    /// Of the link.
    var token: String? {
        contents.arguments["link"].flatMap { $0.split(separator: "=").last.map(String.init) }
    }
}

extension World {
    func deliveries() async throws -> [OpenedDelivery] {
        try await events(DeliveryRequested.self).map {
            OpenedDelivery(request: $0, contents: try parts.seal.open($0.sealed, delivery: $0.delivery))
        }
    }
}
