import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Somebody calls the desk", .timeLimit(.minutes(15)))
struct PeopleDeskTests {
    @Test("I13, I14, P9: an admin finds people by a whole number or address, the banned too; the log has neither")
    func contact() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let (person, other) = (Person(), Person())
            let (account, second) = (try await world.register(person), try await world.register(other))
            var elsewhere = Person()
            elsewhere.market = "carrepsa"
            try await world.register(elsewhere)
            let ban = try await world.post(
                "markets/assef/bans", ["account": .string(account.text), "reason": "Shouted"], token: admin.access)
            #expect(ban.status == 201)
            func find(_ typed: String, _ more: String = "") async throws -> Answer {
                let query = typed.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return try await world.send(
                    "GET", "v1/markets/assef/people?contact=\(query)\(more)", token: admin.access)
            }
            let digits = person.mobile.dropFirst()
            for typed in [
                person.mobile, "00\(digits)", "+\(digits.prefix(2)) \(digits.dropFirst(2))", person.email,
                person.email.uppercased(),
            ] {
                let found = try await find(typed)
                #expect(found.items.map { $0["account"] } == [.string(account.text)], "\(typed) \(found)")
                #expect(found.items.first?["ban"]?["reason"] == "Shouted")
            }
            #expect(try await find(String(person.mobile.dropLast())).items.isEmpty)
            #expect(try await find(elsewhere.mobile).items.isEmpty)
            #expect(try await find(person.mobile, "&account=\(second.text)").items.isEmpty)
            #expect(try await find(person.mobile, "&account=\(account.text)").items.count == 1)
            #expect(try await find("Noura").fields == ["/contact": "not-a-contact"])
            let told = try await world.events(IdentityListViewed.self).filter { $0.list == "people" }
            #expect(!told.isEmpty && told.allSatisfy { $0.filter["contact"] == "given" })
            for payload in try await world.pool.query(EveryPayload()) {
                #expect(!payload.contains(person.mobile) && !payload.contains(person.email))
            }
        }
    }

    @Test("I13, I15, P9: an admin sees where a person is logged in, ends one session or all, and the log is told")
    func sessions() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let phone = try await world.join(person)
            world.clock.advance(by: .seconds(5))
            let laptop = try await world.logIn(person)
            let path = "v1/markets/assef/people/\(phone.account.text)/sessions"
            let list = try await world.send("GET", path, token: admin.access)
            let ids = [try await world.session(of: laptop).text, try await world.session(of: phone).text]
            #expect(list.items.map { $0["session"] } == ids.map { .string($0) }, "\(list)")
            #expect(list.items.map { $0["current"] } == [false, false])
            #expect(try await world.send("DELETE", "\(path)/\(ids[1])", token: admin.access).status == 204)
            #expect(try await world.send("GET", "v1/accounts/me", token: phone.access).slug == "token-expired")
            #expect(try await world.send("GET", "v1/accounts/me", token: laptop.access).status == 200)
            // Of somebody else, and of nobody.
            let own = try await world.session(of: admin).text
            for wrong in [own, UUID.timeOrdered().text, "no-id"] {
                #expect(
                    try await world.send("DELETE", "\(path)/\(wrong)", token: admin.access).status == 404, "\(wrong)")
            }
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            #expect(try await world.send("GET", "v1/accounts/me", token: laptop.access).slug == "token-expired")
            #expect(try await world.send("GET", path, token: admin.access).items.isEmpty)
            _ = try await world.logIn(person)
            let told = try await world.events(AccountManaged.self).filter { $0.act == .sessionsEnded }
            #expect(
                told.map(\.account) == [phone.account, phone.account] && told.allSatisfy { $0.by == admin.account })
            let looks = try await world.events(IdentityListViewed.self).filter { $0.list == "sessions" }
            #expect(looks.count == 2 && looks.first?.filter["account"] == phone.account.text)
        }
    }

    @Test("I13, Q7: sessions of another market's person, of an admin, and one's own are not a market's admin's to end")
    func strangers() async throws {
        try await World.run { world async throws in
            let (admin, master) = (try await world.admin(of: "assef"), try await world.admin(of: "*"))
            var stranger = Person()
            stranger.market = "carrepsa"
            let elsewhere = try await world.join(stranger)
            let both = try await world.join(Person())
            try await world.pool.execute(
                PutRole(account: both.account, role: .admin(of: "assef"), now: world.clock.now))
            for (account, caller, status) in [
                (elsewhere.account, admin, 404), (both.account, admin, 403), (both.account, master, 200),
                (admin.account, admin, 404),
            ] {
                let path = "v1/markets/assef/people/\(account.text)/sessions"
                #expect(try await world.send("GET", path, token: caller.access).status == status)
                guard status != 200 else { continue }
                let expected = account == admin.account ? 403 : status
                #expect(try await world.send("DELETE", path, token: caller.access).status == expected)
            }
            #expect(try await world.events(SessionsEnded.self).isEmpty)
        }
    }

    @Test("A1: what waits is counted as the lists have it, and no look at the numbers is told for the log")
    func waiting() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            func counts(_ market: String = "assef") async throws -> JSONValue? {
                let answer = try await world.send("GET", "v1/markets/\(market)/waiting", token: admin.access)
                return answer.status == 200 ? answer.json : nil
            }
            #expect(try await counts() == ["papers": 0, "families": 0, "removals": 0, "professions": 0])
            #expect(try await counts("hajji") == nil)
            let nurse = try await world.join(.provider())
            try await world.register(.provider())
            let (one, two) = (try await world.register(Person()), try await world.register(Person()))
            try await world.pool.execute(AgreedFamily(from: one, to: two, now: world.clock.now))
            _ = try await world.pool.query(
                InsertRemoval(
                    account: one, cause: .relative, askedBy: two, market: "assef", reason: "x", now: world.clock.now,
                    dueAt: world.clock.now))
            _ = try await world.pool.query(
                InsertRemoval(
                    account: two, cause: .relative, askedBy: one, market: "assef", reason: "x", now: world.clock.now,
                    dueAt: world.clock.now + 60))
            try await world.pool.execute(OpenTitleQuestion(account: one, now: world.clock.now))
            #expect(try await counts() == ["papers": 2, "families": 1, "removals": 1, "professions": 1])
            #expect(try await world.verify(nurse.account, by: admin).status == 200)
            #expect(try await counts() == ["papers": 1, "families": 1, "removals": 1, "professions": 1])
            #expect(try await world.events(IdentityListViewed.self).isEmpty)
        }
    }

    @Test(
        "I7, P7: papers and who waits are told in the market's words, with the version that a decision names"
    )
    func words() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person.provider()
            try #require(try await world.post("accounts", person.asDriver).status == 201)
            let driver = try await world.logIn(person)
            for (language, name) in [
                ("en", "Nurse"), ("ar", Market.assef.titles.first { $0.id == "nurse" }?.name.text(in: "ar")),
            ] {
                let list = try await world.send(
                    "GET", "v1/markets/assef/providers", token: admin.access, language: language)
                #expect(list.items.first?["titleName"] == name.map { .string($0) }, "\(list)")
            }
            let papers = try await world.send(
                "GET", "v1/markets/assef/providers/\(driver.account.text)/papers", token: admin.access)
            guard case .array(let typed)? = papers.json?["typed"] else {
                Issue.record("\(papers)")
                return
            }
            let plate = try #require(typed.first { $0["id"] == "vehiclePlate" })
            #expect(plate["name"]?["en"] == "Number plate" && plate["name"]?["ar"] == "رقم اللوحة")
            #expect(plate["value"] == papers.json?["details"]?["vehiclePlate"])
            let colour = try #require(typed.first { $0["id"] == "vehicleColour" })
            #expect(colour["valueName"]?["en"] != nil && colour["valueName"]?["en"] != colour["value"])
            let version = try #require(papers.json?["version"])
            let decision: JSONValue = ["decision": "reject", "reason": "No", "version": version]
            let path = "markets/assef/providers/\(driver.account.text)/verification"
            #expect(try await world.post(path, decision, token: admin.access).status == 200)
            let later = try await world.send(
                "GET", "v1/markets/assef/providers/\(driver.account.text)/papers", token: admin.access)
            #expect(later.json?["version"] != version)
        }
    }
}

/// A family of assef that both have agreed to.
private struct AgreedFamily: Statement {
    static let sql: SQL = """
        INSERT INTO links (id, kind, market, from_account, to_account, scopes, state, asked_at)
        VALUES ($1, 'family', 'assef', $2, $3, '{see}', 'agreed', $4)
        """
    let from: UUID
    let to: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(UUID.timeOrdered(), from, to, now) }
}

private struct OpenTitleQuestion: Statement {
    static let sql: SQL =
        "INSERT INTO title_questions (account, market, job_title, asked_at) VALUES ($1, 'assef', 'Technician', $2)"
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

private struct EveryPayload: Statement {
    static let sql: SQL = "SELECT payload FROM outbox"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
