import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Families that are linked at registration", .timeLimit(.minutes(15)))
struct FamilyWishTests {
    private static func answer(_ world: World) async throws {
        let wishes = FamilyWishes(cipher: world.parts.cipher, changeLinks: world.parts.changeLinks)
        let now = world.clock.now
        for subject in try await world.pool.query(DueWishes(kind: FamilyWishes.provedDeadline)) {
            try await world.pool.withTransaction { transaction in
                let deadline = Deadline(kind: FamilyWishes.provedDeadline, subject: subject, dueAt: now)
                transaction.clearDeadline(kind: deadline.kind, subject: subject)
                try await wishes.proved(deadline, at: now, in: transaction)
            }
        }
        for subject in try await world.pool.query(DueWishes(kind: FamilyWishes.deadline)) {
            try await world.pool.withTransaction { transaction in
                let deadline = Deadline(kind: FamilyWishes.deadline, subject: subject, dueAt: now)
                try await wishes.answer(deadline, at: now, in: transaction)
            }
        }
    }

    /// Registers somebody in Regina and opens the link of the mail.
    @discardableResult
    private static func confirmed(
        _ person: Person, _ more: [String: JSONValue] = [:], in world: World
    ) async throws -> Tokens {
        let registered = try await world.post("accounts", person.with(more))
        #expect(registered.status == 201, "\(registered)")
        let mail = try #require(
            try await world.deliveries().last { $0.contents.to.lowercased() == person.email.lowercased() })
        let link = try #require(mail.contents.arguments["link"])
        let token = try #require(link.split(separator: "token=").last)
        let confirmed = try await world.post("confirmations", ["token": .string(String(token))])
        #expect(confirmed.status < 300, "\(confirmed)")
        return try await world.logIn(person)
    }

    private static func asked(_ world: World, _ tokens: Tokens) async throws -> [JSONValue] {
        try await world.send("GET", "v1/accounts/me/links", token: tokens.access).items
    }

    @Test("I9: relatives named at registration are asked once the account is confirmed; unknown ones tell nothing")
    func confirmed() async throws {
        try await World.run(confirmation: .sms, onboarding: .families) { world async throws in
            let mother = Person()
            try await world.register(mother)
            try await world.pool.execute(ConfirmRow(mobileHash: world.parts.cipher.hash(mother.mobile, for: .mobile)))
            let daughter = Person()
            let family: JSONValue = [
                ["mobile": .string(mother.mobile), "scopes": ["order", "see"]],
                ["mobile": .string(Person().mobile), "scopes": ["see"]],
                ["mobile": .string(daughter.mobile), "scopes": ["see"]],
            ]
            let registered = try await world.post("accounts", daughter.with(["family": family]))
            #expect(registered.status == 201, "\(registered)")
            try await Self.answer(world)
            let tokens = try await world.logIn(mother)
            #expect(try await Self.asked(world, tokens).isEmpty)
            let sms = try #require(try await world.deliveries().last { $0.contents.to == daughter.mobile })
            let code = try #require(sms.contents.arguments["code"])
            let own = try Tokens(
                try await world.post(
                    "confirmations/code", ["login": .string(daughter.mobile), "code": .string(code)]))
            try await Self.answer(world)
            let links = try await Self.asked(world, tokens)
            #expect(links.count == 1 && links[0]["asksMe"] == true && links[0]["kind"] == "family")
            #expect(links[0]["scopes"] == ["order", "see"])
            #expect(try await Self.asked(world, own).count == 1)
            // The unknown one waits.
            #expect(try await world.pool.first(CountWishes()) == 1)
            // Once.
            try await Self.answer(world)
            #expect(try await Self.asked(world, own).count == 1)
        }
    }

    @Test("I9: Eden Care proves addresses, so relatives are named by them: its form says so and the relative is asked")
    func byMail() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let rules = try await world.send("GET", "v1/markets/edencare/registration")
            #expect(rules.json?["roles"]?[0]?["familyBy"] == "email", "\(rules)")
            let elsewhere = try await world.send("GET", "v1/markets/btnc/registration")
            #expect(elsewhere.json?["roles"]?[0]?["familyBy"] == nil)
            let mother = Person.inRegina()
            try await Self.confirmed(mother, in: world)
            let daughter = Person.inRegina()
            let nameless = try await world.post("accounts", daughter.with(["family": [["scopes": ["see"]]]]))
            #expect(nameless.fields["/family/0/email"] == "required", "\(nameless)")
            try await Self.confirmed(
                daughter, ["family": [["email": .string(mother.email), "scopes": ["order"]]]], in: world)
            try await Self.answer(world)
            let links = try await Self.asked(world, try await world.logIn(mother))
            #expect(links.count == 1 && links[0]["asksMe"] == true)
        }
    }

    @Test("I9: a relative who proves the contact within thirty days is asked then, and later not any more")
    func later() async throws {
        try await World.run(confirmation: .email) { world async throws in
            let (mother, late) = (Person.inRegina(), Person.inRegina())
            let family: JSONValue = [
                ["email": .string(mother.email), "scopes": ["order"]],
                ["email": .string(late.email), "scopes": ["see"]],
            ]
            let daughter = Person.inRegina()
            let own = try await Self.confirmed(daughter, ["family": family], in: world)
            try await Self.answer(world)
            #expect(try await Self.asked(world, own).isEmpty)
            #expect(try await world.pool.first(CountWishes()) == 2)
            world.clock.advance(by: .seconds(29 * 86_400))
            try await Self.answer(world)
            try await Self.confirmed(mother, in: world)
            try await Self.answer(world)
            let asked = try await world.pool.query(AskedLinks())
            #expect(asked == ["edencare"])
            #expect(try await world.pool.first(CountWishes()) == 1)
            world.clock.advance(by: .seconds(2 * 86_400))
            try await Self.answer(world)
            #expect(try await world.pool.first(CountWishes()) == 0)
            try await Self.confirmed(late, in: world)
            try await Self.answer(world)
            #expect(try await world.pool.query(AskedLinks()).count == 1)
        }
    }

    @Test("I9, P10: wrong relatives are named with all other wrong fields, and six are too many; elsewhere nobody asks")
    func input() async throws {
        try await World.run(onboarding: .families) { world async throws in
            let wrong: JSONValue = [["scopes": ["see"]], ["mobile": "+966500000001", "scopes": ["everything"]]]
            let answer = try await world.post("accounts", Person().with(["family": wrong, "name": "1"]))
            #expect(
                answer.fields["/family/0/mobile"] == "required" && answer.fields["/family/1/scopes"] == "not-a-choice"
                    && answer.fields["/name"] != nil, "\(answer)")
            let one: JSONValue = ["mobile": .string(Person().mobile), "scopes": ["see"]]
            let many = try await world.post(
                "accounts", Person().with(["family": .array(Array(repeating: one, count: 6))]))
            #expect(many.fields["/family"] == "too-many", "\(many)")
        }
        #expect(Market.edencare.onboarding.asksFamily && !Market.btnc.onboarding.asksFamily)
    }
}

extension Market.Onboarding {
    fileprivate static let families: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.asksFamily = true
        return onboarding
    }()
}

/// As if the deadlines of the wishes were due.
private struct DueWishes: Statement {
    static let sql: SQL = "SELECT subject FROM deadlines WHERE kind = $1 ORDER BY subject"
    let kind: String
    func bind(_ bindings: inout Bindings) { bindings.append(kind) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct AskedLinks: Statement {
    static let sql: SQL = "SELECT market FROM links WHERE kind = 'family'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

extension Person {
    fileprivate static func inRegina() -> Person {
        var person = Person()
        person.market = "edencare"
        person.address = [
            "label": "home", "name": "Home", "address": "12 Elm Street",
            "coordinates": ["latitude": 50.4452, "longitude": -104.6189],
        ]
        return person
    }
}

private struct CountWishes: Statement {
    static let sql: SQL = "SELECT count(*) FROM family_wishes"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct ConfirmRow: Statement {
    static let sql: SQL = """
        UPDATE accounts SET confirmed_at = now(), mobile_proved_at = now(), email_proved_at = now() WHERE mobile_hash = $1
        """
    let mobileHash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(mobileHash) }
}
