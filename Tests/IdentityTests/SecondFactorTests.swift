import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("The second factor, and new devices", .timeLimit(.minutes(15)))
struct SecondFactorTests {
    /// RFC 6238, appendix B, of which authenticator apps show the last six digits.
    @Test(
        "I15: codes are those of RFC 6238",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ])
    func vectors(time: Int, code: String) {
        let totp = TOTP(secret: Array("12345678901234567890".utf8))
        let now = Date(timeIntervalSince1970: Double(time))
        #expect(totp.code(at: TOTP.step(at: now)) == code)
        let step = TOTP.step(at: now)
        #expect(totp.step(of: code, at: now, after: nil) == step)
        #expect(totp.step(of: code, at: now + 30, after: nil) == step)
        #expect(totp.step(of: code, at: now + 60, after: nil) == nil)
        #expect(totp.step(of: code, at: now, after: step) == nil)
        #expect(totp.step(of: code + "0", at: now, after: nil) == nil)
        #expect(totp.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    }

    private func enrol(_ world: World, _ person: Person, _ tokens: Tokens) async throws -> (TOTP, [String]) {
        let made = try await world.post(
            "accounts/me/second-factor", ["password": .string(person.password)], token: tokens.access)
        try #require(made.status == 201, "\(made)")
        let sealed = try #require(try await world.pool.first(FindSecondFactor(account: tokens.account))).sealed
        let totp = TOTP(secret: try world.parts.cipher.open(bytes: sealed, .secondFactor, of: tokens.account))
        #expect(made["secret"] == totp.text)
        #expect(made["uri"]?.hasPrefix("otpauth://totp/Serai:") == true)
        let confirmed = try await world.post(
            "accounts/me/second-factor/confirmation", ["code": .string(now(totp, world))], token: tokens.access)
        try #require(confirmed.status == 200, "\(confirmed)")
        guard case .array(let codes)? = confirmed.json?["recoveryCodes"] else { return (totp, []) }
        return (
            totp, codes.compactMap { if case .string(let text) = $0 { text } else { nil } }
        )
    }

    private func now(_ totp: TOTP, _ world: World) -> String { totp.code(at: TOTP.step(at: world.clock.now)) }

    private func challenge(_ world: World, _ person: Person) async throws -> String {
        let answer = try await world.post(
            "sessions", ["login": .string(person.email), "password": .string(person.password)])
        try #require(answer.status == 202, "\(answer)")
        #expect(answer["accessToken"] == nil)
        return try #require(answer["challenge"])
    }

    private func show(
        _ world: World, _ challenge: String, _ code: String, key: String = UUID().uuidString
    ) async throws -> Answer {
        try await world.post(
            "sessions/second-factor", ["challenge": .string(challenge), "code": .string(code)], key: key)
    }

    @Test("I15: after the password a code is asked for, which is taken once; a recovery code is, too, and a mail tells")
    func whole() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let (totp, codes) = try await enrol(world, person, tokens)
            #expect(codes.count == SecondFactorRule.recoveryCodes)
            let used = now(totp, world)
            let first = try await challenge(world, person)
            // The code that confirmed the app is used up.
            #expect(try await show(world, first, used).slug == "proof-refused")
            world.clock.advance(by: .seconds(30))
            let key = UUID().uuidString
            let in201 = try await show(world, first, now(totp, world), key: key)
            #expect(in201.status == 201, "\(in201)")
            // An answer that was lost is had again with its key, and by nobody without the challenge.
            #expect(try await show(world, first, now(totp, world), key: key).bytes == in201.bytes)
            #expect(try await show(world, first, now(totp, world)).slug == "proof-refused")
            let second = try await challenge(world, person)
            #expect(try await show(world, second, now(totp, world)).slug == "proof-refused")
            let recovery = codes[0].lowercased().replacing("-", with: " ")
            #expect(try await show(world, second, recovery).status == 201)
            let third = try await challenge(world, person)
            #expect(try await show(world, third, codes[0]).slug == "proof-refused")
            let me = try await world.send("GET", "v1/accounts/me/second-factor", token: tokens.access)
            #expect(me.json?["recoveryCodes"] == 9 && me.json?["enrolled"] == true)
            #expect(
                try await world.deliveries().map(\.request.text) == ["second-factor-added", "recovery-code-used"])
            let dump = try #require(try await world.pool.first(DumpTables())).lowercased()
            for secret in [totp.text, AccessTests.hex(Data(totp.secret)), codes[1]] {
                #expect(!dump.contains(secret.lowercased()))
            }
        }
    }

    @Test(
        "I15, I13: who has lost app and codes has it taken off by an admin; sessions end, a mail and the audit log tell"
    )
    func lost() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            _ = try await enrol(world, person, tokens)
            let (admin, master) = (try await world.admin(of: "assef"), try await world.admin(of: "*"))
            let path = "markets/assef/people/\(tokens.account.text)/second-factor-reset"
            let other = try await world.join(Person())
            #expect(try await world.post(path, [:], token: other.access).status == 403)
            #expect(try await world.post(path, [:], token: admin.access).status == 204)
            #expect(try await world.post(path, [:], token: admin.access).status == 404)
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 401)
            _ = try await world.logIn(person)
            #expect(try await world.deliveries().last?.request.text == "second-factor-removed")
            let told = try await world.events(AccountManaged.self)
            #expect(told.map(\.act) == [.secondFactorReset] && told.first?.by == admin.account)
            // An admin's is a master admin's to take.
            let admins = "people/\(admin.account.text)/second-factor-reset"
            let second = try await world.admin(of: "assef")
            #expect(try await world.post("markets/assef/\(admins)", [:], token: second.access).status == 403)
            #expect(try await world.post("markets/assef/\(admins)", [:], token: master.access).status == 404)
            let own = "people/\(master.account.text)/second-factor-reset"
            #expect(try await world.post("markets/*/\(own)", [:], token: master.access).status == 403)
        }
    }

    @Test("I15: of two that show the same code at once one gets a session")
    func race() async throws {
        try await World.run { world async throws in
            let person = Person()
            let (totp, _) = try await enrol(world, person, try await world.join(person))
            world.clock.advance(by: .seconds(60))
            let challenges = [try await challenge(world, person), try await challenge(world, person)]
            let code = now(totp, world)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for one in challenges { group.addTask { try await show(world, one, code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 422])
        }
    }

    @Test("I4: wrong codes slow down, a challenge has five tries and five minutes, and another password ends it")
    func limits() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let (totp, _) = try await enrol(world, person, tokens)
            world.clock.advance(by: .seconds(60))
            let open = try await challenge(world, person)
            for _ in 0..<4 { #expect(try await show(world, open, "000000x").slug == "proof-refused") }
            #expect(try await show(world, open, "000000x").slug == "login-delayed")
            world.clock.advance(by: .seconds(60))
            #expect(try await show(world, open, now(totp, world)).slug == "proof-refused")
            let late = try await challenge(world, person)
            world.clock.advance(by: .seconds(SecondFactorRule.challengeSeconds))
            #expect(try await show(world, late, now(totp, world)).slug == "proof-refused")
            let old = try await challenge(world, person)
            let change: JSONValue = [
                "oldPassword": .string(person.password), "newPassword": "Another-2026-word",
            ]
            #expect(try await world.post("accounts/me/password", change, token: tokens.access).status == 204)
            #expect(try await show(world, old, now(totp, world)).slug == "proof-refused")
            var changed = person
            changed.password = "Another-2026-word"
            #expect(try await show(world, try await challenge(world, changed), now(totp, world)).status == 201)
        }
    }

    /// Wrong codes as fast as it goes.
    ///
    /// - Returns: how many were looked at.
    private func guess(_ world: World, _ person: Person, for seconds: Double, every step: Double) async throws -> Int {
        var tries = 0
        let end = world.clock.now + seconds
        while world.clock.now < end {
            let answer = try await show(world, try await challenge(world, person), "000000x")
            if answer.slug == "proof-refused" { tries += 1 } else { #expect(answer.slug == "login-delayed") }
            world.clock.advance(by: .seconds(step))
        }
        return tries
    }

    @Test(
        "I4, I15: who has the password tries few codes a day, and the owner's logins give no new ones; a mail tells, once a day"
    )
    func guesses() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let (totp, codes) = try await enrol(world, person, tokens)
            func told() async throws -> [OpenedDelivery] {
                try await world.deliveries().filter { $0.request.text == "second-factor-guessed" }
            }
            world.clock.advance(by: .seconds(60))
            #expect(try await guess(world, person, for: 5 * 31, every: 31) == 5)
            // The owner's own login does not begin the count again.
            #expect(try await show(world, try await challenge(world, person), now(totp, world)).status == 201)
            #expect(try await told().isEmpty)
            #expect(try await guess(world, person, for: 5 * 61, every: 61) == 5)
            let mail = try #require(try await told().first)
            #expect(mail.contents.to == person.email && mail.contents.arguments["link"]?.hasSuffix("/me") == true)
            #expect(try await guess(world, person, for: 86_400 - 600, every: 1_800) <= 8)
            #expect(try await told().count == 1)
            // Locked for everybody with a code of the app, and open for a recovery code.
            let open = try await challenge(world, person)
            #expect(try await show(world, open, now(totp, world)).slug == "login-delayed")
            #expect(try await show(world, open, codes[0]).status == 201)
            #expect(try await guess(world, person, for: 86_400, every: 1_800) <= 4)
            #expect(try await told().count == 2)
            // After a day without, all is forgotten.
            world.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await show(world, try await challenge(world, person), now(totp, world)).status == 201)
        }
    }

    @Test("I15: it is enrolled and removed with the password only, and counts once a code was entered")
    func changes() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let path = "accounts/me/second-factor"
            func post(_ part: String, _ body: JSONValue) async throws -> Answer {
                try await world.post(path + part, body, token: tokens.access)
            }
            #expect(try await post("", [:]).fields == ["/password": "wrong-password"])
            #expect(try await post("", ["password": "Wrong-password-12"]).status == 422)
            #expect(try await post("", ["password": .string(person.password)]).status == 201)
            _ = try await world.logIn(person)
            #expect(try await post("/confirmation", ["code": "nonsense"]).slug == "proof-refused")
            let (totp, codes) = try await enrol(world, person, tokens)
            #expect(try await post("", ["password": .string(person.password)]).slug == "second-factor-exists")
            let fresh = try await post("/recovery-codes", ["password": .string(person.password)])
            #expect(fresh.status == 200)
            let open = try await challenge(world, person)
            #expect(try await show(world, open, codes[0]).slug == "proof-refused")
            #expect(try await post("/removal", ["password": "Wrong-password-12"]).status == 422)
            #expect(try await post("/removal", ["password": .string(person.password)]).status == 204)
            world.clock.advance(by: .seconds(30))
            #expect(try await show(world, open, now(totp, world)).slug == "proof-refused")
            _ = try await world.logIn(person)
            #expect(try await post("/removal", ["password": .string(person.password)]).status == 404)
        }
    }

    @Test("A1: admins need a second factor unless the operator says otherwise")
    func byDefault() throws {
        let configuration = try ServiceConfiguration(
            keys: [IdentityConfiguration.adminsNeedSecond.erased], arguments: [], environment: [:])
        #expect(try configuration[IdentityConfiguration.adminsNeedSecond])
    }

    @Test("A1: an admin who is made with a second factor has to show it, and has the rights then")
    func made() async throws {
        try await World.run(["SERAI_IDENTITY_SECOND_FACTOR_ADMINS": "true"]) { world async throws in
            let (person, totp) = (Person(), TOTP.generate())
            #expect(TOTP(text: totp.text)?.secret == totp.secret)
            #expect(TOTP(text: "short") == nil && TOTP(text: String(repeating: "1", count: 32)) == nil)
            let form = try CreateAdminCommand.form(
                name: person.name, email: person.email, mobile: person.mobile, password: person.password, market: "*")
            _ = try await CreateAdmin(pool: world.pool, register: RegisterAccount(cipher: world.parts.cipher))(
                form.registration, passwordHash: try await world.parts.hasher.hash(form.password),
                secondFactor: totp, at: world.clock.now)
            let open = try await challenge(world, person)
            #expect(try await show(world, open, "000000").slug == "proof-refused")
            let session = try Tokens(try await show(world, open, now(totp, world)))
            #expect(try await world.send("GET", "v1/markets/*/bans", token: session.access).status == 200)
        }
    }

    @Test("I13, A1: where admins need one, a password alone gives no admin's rights")
    func admins() async throws {
        try await World.run(["SERAI_IDENTITY_SECOND_FACTOR_ADMINS": "true"]) { world async throws in
            let person = Person()
            let form = try CreateAdminCommand.form(
                name: person.name, email: person.email, mobile: person.mobile, password: person.password, market: "*")
            let hash = try await world.parts.hasher.hash(form.password)
            _ = try await CreateAdmin(pool: world.pool, register: RegisterAccount(cipher: world.parts.cipher))(
                form.registration, passwordHash: hash, at: world.clock.now)
            func list(_ token: String) async throws -> Int {
                try await world.send("GET", "v1/markets/*/bans", token: token).status
            }
            let answer = try await world.post(
                "sessions", ["login": .string(person.email), "password": .string(person.password)])
            #expect(answer.json?["asks"] == ["second-factor"])
            let tokens = try Tokens(answer)
            #expect(try await list(tokens.access) == 403)
            let (totp, _) = try await enrol(world, person, tokens)
            let refreshed = try Tokens(
                try await world.post("sessions/refresh", ["refreshToken": .string(tokens.refresh)], key: nil))
            #expect(try await list(refreshed.access) == 200)
            world.clock.advance(by: .seconds(30))
            let session = try Tokens(
                try await show(world, try await challenge(world, person), now(totp, world)))
            #expect(try await list(session.access) == 200)
        }
    }

    @Test("I15: a login from a device that was not seen before is told of by mail, the first one is not")
    func devices() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            func logIn(_ agent: String?, id: String? = nil) async throws -> [String] {
                let before = try await world.deliveries().count
                let answer = try await world.send(
                    "POST", "v1/sessions", ["login": .string(person.email), "password": .string(person.password)],
                    agent: agent, headers: id.map { ["serai-device": $0] } ?? [:])
                #expect(answer.status == 201)
                return try await world.deliveries().dropFirst(before).map(\.request.text)
            }
            let phone = "Mozilla/5.0 (Linux; Android 15) Chrome/140.0"
            #expect(try await logIn(phone, id: "a").isEmpty)
            // Another version is no other device.
            #expect(try await logIn("Mozilla/5.0 (Linux; Android 15) Chrome/141.0", id: "a").isEmpty)
            #expect(try await logIn("Mozilla/5.0 (Windows NT 10.0) Firefox/140.0") == ["new-device"])
            #expect(try await logIn(phone, id: "b") == ["new-device"])
            #expect(try await logIn(phone, id: "b").isEmpty)
            let told = try #require(try await world.deliveries().first)
            #expect(told.contents.arguments["device"] == "Firefox, Windows" && told.contents.to == person.email)
            let dump = try #require(try await world.pool.first(DumpTables()))
            #expect(!dump.contains("Mozilla"))
        }
    }
}
