import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What somebody has proved is his", .timeLimit(.minutes(15)))
struct ProvedContactTests {
    /// Registers and opens the mail's link.
    private func joinByMail(_ world: World, _ person: Person) async throws -> Tokens {
        let answer = try await world.post("accounts", person.json)
        try #require(answer.status == 201, "\(answer)")
        let token = try #require(try await world.deliveries().last { $0.contents.to == person.email }?.token)
        try #require(try await world.post("confirmations", ["token": .string(token)]).status == 204)
        return try await world.logIn(person)
    }

    private func askCode(_ world: World, _ tokens: Tokens, _ person: Person) async throws -> String {
        let body: JSONValue = ["mobile": .string(person.mobile), "password": .string(person.password)]
        let answer = try await world.post("accounts/me/mobile", body, token: tokens.access)
        try #require(answer.status == 202, "\(answer)")
        return try #require(try await world.deliveries().last?.contents.arguments["code"])
    }

    private func enter(_ world: World, _ tokens: Tokens, _ code: String) async throws -> Answer {
        try await world.post("accounts/me/mobile/code", ["code": .string(code)], token: tokens.access)
    }

    private func me(_ world: World, _ tokens: Tokens) async throws -> Answer {
        try await world.send("GET", "v1/accounts/me", token: tokens.access)
    }

    @Test(
        "I2: a number that somebody has merely written down keeps its owner from nothing, and is his once he proves it")
    func squatter() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let victim = Person()
            var squatter = Person()
            squatter.mobile = victim.mobile
            let squatting = try await joinByMail(world, squatter)
            let friend = try await joinByMail(world, Person())
            let ask: JSONValue = ["kind": "friend", "mobile": .string(victim.mobile)]
            let unknown = try await world.post("accounts/me/links", ask, token: friend.access)
            #expect(unknown.fields == ["/mobile": "unknown-mobile"])
            let tokens = try await joinByMail(world, victim)
            #expect(try await me(world, tokens).json?["mobileProved"] == false)
            #expect(try await enter(world, tokens, try await askCode(world, tokens, victim)).status == 204)
            #expect(try await me(world, tokens).json?["mobileProved"] == true)
            let theirs = try await me(world, squatting)
            #expect(theirs.status == 200 && theirs["mobile"] == nil && theirs["email"] == squatter.email)
            let told = try #require(try await world.deliveries().last { $0.request.text == "mobile-taken" })
            #expect(told.contents.to == squatter.email)
            let link = try await world.post("accounts/me/links", ask, token: friend.access)
            #expect(link.status == 201)
            let links = try await world.send("GET", "v1/accounts/me/links", token: tokens.access)
            #expect(links.items.count == 1)
            let login: JSONValue = ["login": .string(victim.mobile), "password": .string(victim.password)]
            #expect(try await world.post("sessions", login).status == 201)
            // Proved, it keeps others out.
            var third = Person()
            third.mobile = victim.mobile
            #expect(try await world.post("accounts", third.json).fields == ["/mobile": "taken"])
        }
    }

    @Test("I2: the code of the SMS that confirms takes the number from who never proved it")
    func byCode() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let squatter = Person()
            let squatting = try #require(
                try await world.post("accounts", squatter.json)["account"].flatMap(UUID.init(uuidString:)))
            // As the account of a market where the mail's link confirms.
            try await world.pool.execute(ConfirmByMail(account: squatting))
            var victim = Person()
            victim.mobile = squatter.mobile
            let registered = try await world.post("accounts", victim.json)
            #expect(registered.status == 201)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let answer = try await world.post(
                "confirmations/code", ["login": .string(victim.mobile), "code": .string(code)])
            #expect(answer.status == 201 && answer["account"] == registered["account"])
            #expect(try await world.pool.first(FindContactHashes(account: squatting))?.mobile == nil)
        }
    }

    @Test("I2: of two who prove one number at once one has it")
    func atOnce() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let first = Person()
            var second = Person()
            second.mobile = first.mobile
            let people = [first, second]
            var tries: [(Tokens, String)] = []
            for person in people {
                let tokens = try await joinByMail(world, person)
                tries.append((tokens, try await askCode(world, tokens, person)))
            }
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for (tokens, code) in tries { group.addTask { try await enter(world, tokens, code) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [204, 409])
            var proved = 0
            for (tokens, _) in tries where try await me(world, tokens).json?["mobileProved"] == true { proved += 1 }
            #expect(proved == 1)
        }
    }

    @Test("I2, I13: an address by which an admin has invited somebody is kept from nobody who proves it")
    func invited() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let admin = try await world.admin(of: "assef")
            let victim = Person()
            let body: JSONValue = [
                "role": "customer", "name": "Somebody", "email": .string(victim.email),
                "mobile": .string(Person().mobile),
            ]
            let made = try await world.post("markets/assef/people", body, token: admin.access)
            #expect(made.status == 201, "\(made)")
            // An admin invites nobody twice.
            #expect(
                try await world.post("markets/assef/people", body, token: admin.access).fields == ["/email": "taken"])
            let tokens = try await joinByMail(world, victim)
            #expect(try await me(world, tokens)["email"] == victim.email)
            let account = try #require(made["account"].flatMap(UUID.init(uuidString:)))
            #expect(try await world.pool.first(FindContactHashes(account: account))?.email == nil)
        }
    }

    @Test("I2: what waits for its mail or its code holds the address or the number for that day, and no longer")
    func waiting() async throws {
        for method in [Market.Confirmation.email, .sms] {
            try await World.run(confirmation: method) { world async throws in
                let first = Person()
                let registered = try await world.post("accounts", first.json)
                #expect(registered.status == 201)
                var second = Person()
                if method == .email { second.email = first.email } else { second.mobile = first.mobile }
                let field = method == .email ? "/email" : "/mobile"
                #expect(try await world.post("accounts", second.json).fields == [field: "taken"])
                // Confirmed by something else.
                let account = try #require(registered["account"].flatMap(UUID.init(uuidString:)))
                #expect(try await world.pool.first(ConfirmOwner(account: account, now: world.clock.now)) == account)
                #expect(try await world.post("accounts", second.json).status == 201)
            }
        }
    }

    /// Registers, and confirms by the code of the SMS.
    private func join(_ person: Person, by world: World) async throws -> Tokens {
        _ = try await world.post("accounts", person.json)
        let sms = try await world.deliveries().last { $0.contents.to == person.mobile }
        let code = try #require(sms?.contents.arguments["code"])
        return try Tokens(
            try await world.post("confirmations/code", ["login": .string(person.mobile), "code": .string(code)]))
    }

    @Test("I3: where the number alone is proved the link goes there, never to an address that may be wrong")
    func byReset() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            let tokens = try await join(person, by: world)
            // The owner of the mailbox asks as well as the account's.
            for login in [person.email, person.mobile] {
                _ = try await world.ask("password-resets", for: login)
                let told = try #require(try await world.deliveries().last { $0.request.text == "reset-password" })
                #expect(told.request.channel == .sms && told.contents.to == person.mobile)
                world.clock.advance(by: .seconds(3_600))
            }
            _ = try await world.ask("password-resets", for: person.mobile)
            let link = try #require(try await world.deliveries().last?.token)
            let reset: JSONValue = ["token": .string(link), "password": "Another-2026-word"]
            #expect(try await world.post("password-resets/finish", reset).status == 204)
            let profile = try #require(try await world.parts.readProfile(tokens.account, at: world.clock.now))
            // Nothing was proved about the address.
            #expect(!profile.emailIsProved && profile.email == person.email)
        }
    }

    @Test("I2, I6: an unproved address gives way to the one who proves it, whose former holder is told by SMS")
    func givesWay() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let (owner, squatter) = (Person(), Person())
            let tokens = try await join(owner, by: world)
            let squatting = try await join(squatter, by: world)
            let wish: JSONValue = ["email": .string(squatter.email), "password": .string(owner.password)]
            #expect(try await world.post("accounts/me/email", wish, token: tokens.access).status == 202)
            let link = try #require(try await world.deliveries().last?.token)
            #expect(try await world.post("contact-changes/finish", ["token": .string(link)]).status == 204)
            #expect(try await me(world, squatting)["email"] == nil)
            let told = try #require(try await world.deliveries().last { $0.request.text == "email-taken" })
            #expect(told.request.channel == .sms && told.contents.to == squatter.mobile)
            // The address is proved now, and gets the link.
            world.clock.advance(by: .seconds(3_600))
            _ = try await world.ask("password-resets", for: owner.mobile)
            let reset = try #require(try await world.deliveries().last { $0.request.text == "reset-password" })
            #expect(reset.request.channel == .mail && reset.contents.to == squatter.email)
        }
    }

    @Test("I2: strangers' wrong codes do not spend the tries of who registered")
    func ownTries() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            let registered = try await world.post("accounts", person.json)
            let secret = try #require(registered["secret"])
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let wrong = code == "000000" ? "000001" : "000000"
            func byName(_ code: String) async throws -> Answer {
                try await world.post("confirmations/code", ["login": .string(person.mobile), "code": .string(code)])
            }
            func own(_ code: String, _ secret: String) async throws -> Answer {
                try await world.post("confirmations/code", ["secret": .string(secret), "code": .string(code)])
            }
            for _ in 0..<6 { #expect(try await byName(wrong).slug == "proof-refused") }
            #expect(try await byName(code).slug == "proof-refused")
            #expect(try await own(code, RefreshToken.generate().text).slug == "proof-refused")
            for _ in 0..<4 { #expect(try await own(wrong, secret).slug == "proof-refused") }
            #expect(try await own(code, secret).status == 201)
            // Five of one's own are the end of a code, too.
            let other = Person()
            let again = try #require(try await world.post("accounts", other.json)["secret"])
            let right = try #require(try await world.deliveries().last?.contents.arguments["code"])
            for _ in 0..<5 {
                #expect(try await own(right == "000000" ? "000001" : "000000", again).slug == "proof-refused")
            }
            #expect(try await own(right, again).slug == "proof-refused")
        }
    }
}

private struct ConfirmByMail: Statement {
    static let sql: SQL = """
        UPDATE accounts SET confirmed_at = registered_at, confirms_by = 'email', email_proved_at = registered_at
        WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
