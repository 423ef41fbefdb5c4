import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What changed between a check and its effect", .timeLimit(.minutes(15)))
struct GuardTests {
    @Test("I3: a login and a change of the password that were checked before a reset do not survive it")
    func inFlight() async throws {
        try await World.run { world async throws in
            let (parts, now) = (world.parts, world.clock.now)
            let person = Person()
            let tokens = try await world.join(person)
            let session = try await world.session(of: tokens)
            let checked = try await parts.checkCredentials(
                LoginName(person.email), Redacted(person.password), from: "203.0.113.1", at: now)
            _ = try await world.ask("password-resets", for: person.email)
            let token = try #require(try await world.deliveries().first?.token)
            let body: JSONValue = ["token": .string(token), "password": "Another-2026-word"]
            #expect(try await world.post("password-resets/finish", body).status == 204)
            await #expect(throws: IdentityError.wrongCredentials) { () async throws in
                _ = try await world.pool.withTransaction { transaction in
                    try await parts.startSession(
                        for: checked.account, password: checked, on: Device(), at: now, in: transaction)
                }
            }
            let faults: [(UUID?, IdentityError)] = [(nil, .wrongPassword), (session, .sessionEnded)]
            for (kept, fault) in faults {
                await #expect(throws: fault) { () async throws in
                    try await world.pool.withTransaction { transaction in
                        try await parts.changePassword(checked, to: "x", keeping: kept, at: now, in: transaction)
                    }
                }
            }
        }
    }

    @Test("I2: a code is used once, by one of two at the same moment")
    func codeOnce() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let (parts, now) = (world.parts, world.clock.now)
            let person = Person()
            _ = try await world.post("accounts", person.json)
            let code = try #require(try await world.deliveries().first?.contents.arguments["code"])
            let login = parts.checkCredentials.find(LoginName(person.mobile))
            let checked = try await parts.confirmAccount.check(code: code, of: login, at: now)
            let body: JSONValue = ["login": .string(person.mobile), "code": .string(code)]
            #expect(try await world.post("confirmations/code", body).status == 201)
            #expect(try await world.post("confirmations/code", body).slug == "proof-refused")
            await #expect(throws: IdentityError.proofRefused) { () async throws in
                try await world.pool.withTransaction { transaction in
                    try await parts.confirmAccount(checked, at: now, in: transaction)
                }
            }
        }
    }

    @Test("I2: wrong codes count on over codes that are sent again, of which there are five a day and then one an hour")
    func guesses() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            let parts = world.parts
            let login = parts.checkCredentials.find(LoginName(person.mobile))
            func code() async throws -> String {
                try #require(try await world.deliveries().last?.contents.arguments["code"])
            }
            for round in 0..<7 {
                let right = try await code()
                let now = world.clock.now
                for _ in 0..<(round < 4 ? 5 : 0) {
                    await #expect(throws: IdentityError.proofRefused) { () async throws in
                        _ = try await parts.confirmAccount.check(
                            code: right == "000000" ? "000001" : "000000", of: login, at: now)
                    }
                }
                world.clock.advance(by: .seconds(61))
                _ = try await world.ask("confirmations/resend", for: person.mobile)
            }
            #expect(try await world.deliveries().count == 6)
            let (last, now) = (try await code(), world.clock.now)
            await #expect(throws: IdentityError.proofRefused) { () async throws in
                _ = try await parts.confirmAccount.check(code: last, of: login, at: now)
            }
            world.clock.advance(by: .seconds(3_600))
            _ = try await world.ask("confirmations/resend", for: person.mobile)
            #expect(try await world.deliveries().count == 7)
            // Another day, another code.
            world.clock.advance(by: .seconds(86_400))
            _ = try await world.ask("confirmations/resend", for: person.mobile)
            let body: JSONValue = ["login": .string(person.mobile), "code": .string(try await code())]
            #expect(try await world.post("confirmations/code", body).status == 201)
        }
    }

    @Test("I3: a password that is set makes an SMS code worth nothing")
    func codeAfterReset() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            let code = try #require(try await world.deliveries().first?.contents.arguments["code"])
            _ = try await world.ask("password-resets", for: person.email)
            let token = try #require(try await world.deliveries().last?.token)
            let reset: JSONValue = ["token": .string(token), "password": "Another-2026-word"]
            #expect(try await world.post("password-resets/finish", reset).status == 204)
            let body: JSONValue = ["login": .string(person.mobile), "code": .string(code)]
            #expect(try await world.post("confirmations/code", body).slug == "proof-refused")
        }
    }

    @Test("I2: an account that is not confirmed is in no list, and nobody verifies it, bans it or makes it an admin")
    func unconfirmed() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let master = try await world.admin(of: "*")
            let account = try await world.register(Person.provider())
            let list = try await world.send("GET", "v1/markets/assef/providers", token: master.access)
            #expect(list.status == 200 && list.items.isEmpty)
            #expect(try await world.verify(account, by: master).status == 404)
            let ban: JSONValue = ["account": .string(account.text), "reason": "Did not come."]
            #expect(try await world.post("markets/assef/bans", ban, token: master.access).status == 404)
            let grant: JSONValue = ["account": .string(account.text)]
            #expect(try await world.post("markets/assef/admins", grant, token: master.access).status == 404)
            let token = try #require(try await world.deliveries().first?.token)
            #expect(try await world.post("confirmations", ["token": .string(token)]).status == 204)
            #expect(try await world.verify(account, by: master).status == 200)
        }
    }

    @Test("I11: a market's admin neither lifts nor shortens a master admin's ban, nor lifts that of an admin")
    func mastersBan() async throws {
        try await World.run { world async throws in
            let master = try await world.admin(of: "*")
            let admin = try await world.admin(of: "assef")
            let other = try await world.admin(of: "assef")
            let account = try await world.register(Person())
            func ban(_ id: UUID, by tokens: Tokens, until: Date? = nil) async throws -> Int {
                var body: [String: JSONValue] = ["account": .string(id.text), "reason": "Did not come."]
                if let until { body["until"] = .string(Timestamp.text(until)) }
                return try await world.post("markets/assef/bans", .object(body), token: tokens.access).status
            }
            func lift(_ id: UUID, by tokens: Tokens) async throws -> Int {
                try await world.send("DELETE", "v1/markets/assef/bans/\(id.text)", token: tokens.access).status
            }
            for id in [account, other.account] { #expect(try await ban(id, by: master) == 201) }
            #expect(try await ban(account, by: admin, until: world.clock.now + 60) == 403)
            #expect(try await lift(account, by: admin) == 403)
            #expect(try await lift(other.account, by: admin) == 403)
            #expect(try await lift(account, by: master) == 204)
            #expect(try await ban(account, by: admin) == 201)
            #expect(try await lift(account, by: admin) == 204)
        }
    }

    @Test("I13: of two master admins who revoke each other at once one remains", arguments: 1...3)
    func eachOther(_ round: Int) async throws {
        try await World.run { world async throws in
            let (first, second) = (try await world.admin(of: "*"), try await world.admin(of: "*"))
            let (parts, now) = (world.parts, world.clock.now)
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (one, other) in [(first.account, second.account), (second.account, first.account)] {
                    group.addTask {
                        do {
                            try await world.pool.withTransaction { transaction in
                                try await parts.changeAdmin.revoke("*", from: other, by: one, at: now, in: transaction)
                            }
                            return true
                        } catch IdentityError.rightsLost {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(done.filter { $0 }.count == 1)
            let left = try await world.pool.query(
                ListAdmins(market: "*", after: .beginning, limit: 10))
            #expect(left.count == 1)
        }
    }

    @Test("I13: whose rights were taken cannot use them, whatever the token says")
    func revoked() async throws {
        try await World.run { world async throws in
            let (master, other) = (try await world.admin(of: "*"), try await world.admin(of: "*"))
            let admin = try await world.admin(of: "assef")
            let account = try await world.register(Person())
            let (parts, now) = (world.parts, world.clock.now)
            try await world.pool.withTransaction { transaction in
                try await parts.changeAdmin.revoke(
                    "*", from: other.account, by: master.account, at: now, in: transaction)
            }
            try await world.pool.withTransaction { transaction in
                try await parts.changeAdmin.revoke(
                    "assef", from: admin.account, by: master.account, at: now, in: transaction)
            }
            await #expect(throws: IdentityError.rightsLost) { () async throws in
                try await world.pool.withTransaction { transaction in
                    try await parts.changeAdmin.grant(
                        .admin(of: "*"), to: other.account, by: other.account, at: now, in: transaction)
                }
            }
            await #expect(throws: IdentityError.rightsLost) { () async throws in
                try await world.pool.withTransaction { transaction in
                    try await parts.banAccount(
                        Ban(market: "assef", reason: "x", until: nil), account, by: admin.account, at: now,
                        in: transaction)
                }
            }
            await #expect(throws: IdentityError.rightsLost) { () async throws in
                try await world.pool.withTransaction { transaction in
                    try await parts.banAccount.lift(
                        of: account, in: "assef", by: admin.account, at: now, in: transaction)
                }
            }
        }
    }

    @Test("what asks for a mail holds back neither ended sessions nor other messages of the account")
    func aggregates() {
        let (account, session, delivery) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let request = DeliveryRequested(
            delivery: delivery, account: account, channel: .sms, text: "x", language: "en", sealed: "", expiresAt: now,
            at: now)
        #expect(request.aggregate == delivery.text)
        let ended = SessionsEnded(account: account, sessions: [session], until: now, at: now)
        #expect(ended.aggregate == session.text)
    }
}
