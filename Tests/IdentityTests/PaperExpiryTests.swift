import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Papers that expire", .timeLimit(.minutes(15)))
struct PaperExpiryTests {
    private static let perth = TimeZone(identifier: "Australia/Perth") ?? .gmt

    @Test(
        "B5, I7: told 30 and 7 days before the last day, which counts whole in the market's zone, and lapsed after it"
    )
    func steps() throws {
        let expiry = PaperExpiry(try #require(CalendarDate("2027-03-31")), in: Self.perth)
        #expect(Timestamp.text(expiry.end) == "2027-03-31T16:00:00.000Z")
        func days(_ number: Double) -> Date { expiry.end - number * 86_400 }
        #expect(expiry.firstLook(after: days(100)) == days(30))
        #expect(expiry.step(at: days(31)) == .waits && expiry.nextLook(after: days(31)) == days(30))
        #expect(expiry.step(at: days(30)) == .warns && expiry.nextLook(after: days(30)) == days(7))
        #expect(expiry.step(at: days(7)) == .warns && expiry.nextLook(after: days(7)) == expiry.end)
        #expect(expiry.step(at: expiry.end - 1) == .warns)
        #expect(expiry.step(at: expiry.end) == .lapses && expiry.nextLook(after: expiry.end) == nil)
        // One that is verified late is told of at once.
        #expect(expiry.firstLook(after: days(3)) == days(3))
    }

    @Test("I7: the papers of Perth that hold for a time say so, and each market's verification asks for the day")
    func markets() {
        let papers = Market.btnc.onboarding.papers
        #expect(
            Set(papers.filter(\.expires).map(\.id)) == [
                "licence", "police-clearance", "vehicle-registration", "vehicle-insurance", "health-certificate",
                "food-licence",
            ])
    }

    private static let kind = "licence"

    /// Only the licence is asked for, and it expires.
    private static let onboarding: Market.Onboarding = {
        var onboarding = Market.Onboarding.rides
        onboarding.papers = onboarding.papers.filter { $0.id == kind }.map {
            Market.Onboarding.Paper($0.id, $0.name, titles: $0.titles, isRequired: true, expires: true)
        }
        return onboarding
    }()

    @Test(
        "B5, I7: verification needs a day that is not over; after it the paper lapses and the provider waits, once told"
    )
    func lapses() async throws {
        try await World.run(onboarding: Self.onboarding) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person.provider()
            #expect(try await world.post("accounts", person.asDriver).status == 201)
            let provider = try await world.logIn(person)
            let own = "accounts/me/providers/assef"
            let sent = try await world.upload(
                "\(own)/documents/licence", SampleFiles.pdf, as: "application/pdf", token: provider.access)
            let id = try Self.firstDocument(sent)
            let path = "markets/assef/providers/\(provider.account.text)/documents/\(id)/decision"
            func verify(_ day: String?) async throws -> Answer {
                var body: [String: JSONValue] = ["decision": "verify"]
                if let day { body["expiresOn"] = .string(day) }
                return try await world.post(path, .object(body), token: admin.access)
            }
            #expect(try await verify(nil).fields == ["/expiresOn": "required"])
            #expect(try await verify("2020-01-01").fields == ["/expiresOn": "paper-expired"])
            #expect(try await verify("soon").fields == ["/expiresOn": "not-a-date"])
            let today = CalendarDate(of: Date(), in: TimeZone(identifier: "Asia/Riyadh") ?? .gmt).text
            #expect(try await verify(today).status == 200)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            let soon = try await world.send("GET", "v1/markets/assef/expiring-papers", token: admin.access)
            #expect(soon.description.contains(id) && soon.description.contains(today), "\(soon)")
            let stranger = try await world.send("GET", "v1/markets/assef/expiring-papers", token: provider.access)
            #expect(stranger.status == 403)

            let lapse = LapseDocuments(documents: world.parts.documents)
            func fire(_ days: Double) async throws {
                try await world.pool.withTransaction { transaction in
                    try await lapse.fire(
                        Deadline(kind: LapseDocuments.kind, subject: id.lowercased(), dueAt: Date()),
                        at: Date() + days * 86_400, in: transaction)
                }
            }
            try await fire(0)
            #expect(try await world.events(DocumentExpiring.self).map(\.isLapsed) == [false])
            try await fire(2)
            try await fire(2)
            let told = try await world.events(DocumentExpiring.self)
            #expect(told.map(\.isLapsed) == [false, true] && told.allSatisfy { $0.expiresOn == today })
            let changed = try #require(try await world.events(AccountChanged.self).last)
            #expect(changed.account.roles.first { $0.role == "provider" }?.verified == false)
            let papers = try await world.send("GET", "v1/\(own)", token: provider.access)
            #expect(papers.description.contains("lapsed"), "\(papers)")
            #expect(papers.json?["missing"] == .array(["licence"]), "\(papers)")
            // Another upload takes its place.
            let next = try await world.upload(
                "\(own)/documents/licence", SampleFiles.png, as: "image/png", token: provider.access)
            #expect(next.status == 200 && !next.description.contains("lapsed"), "\(next)")
        }
    }

    private struct ForgetDay: Statement {
        static let sql: SQL = "UPDATE documents SET expires_on = NULL"
    }

    @Test("B5: papers of which no last day is known are listed first, and get one without their owner waiting for it")
    func withoutDay() async throws {
        try await World.run(onboarding: Self.onboarding) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person.provider()
            #expect(try await world.post("accounts", person.asDriver).status == 201)
            let provider = try await world.logIn(person)
            let sent = try await world.upload(
                "accounts/me/providers/assef/documents/licence", SampleFiles.pdf, as: "application/pdf",
                token: provider.access)
            let id = try Self.firstDocument(sent)
            let path = "markets/assef/providers/\(provider.account.text)/documents/\(id)/decision"
            func verify(_ day: String?) async throws -> Answer {
                var body: [String: JSONValue] = ["decision": "verify"]
                if let day { body["expiresOn"] = .string(day) }
                return try await world.post(path, .object(body), token: admin.access)
            }
            func listed() async throws -> [JSONValue] {
                try await world.send("GET", "v1/markets/assef/expiring-papers?limit=1", token: admin.access).items
            }
            #expect(try await verify("2099-01-01").status == 200)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            #expect(try await listed().isEmpty)
            // As it was before the day was asked for.
            try await world.pool.execute(ForgetDay())
            let old = try #require(try await listed().first)
            #expect(old["document"] == .string(id.lowercased()) && old["expiresOn"] == nil, "\(old)")
            #expect(try await verify(nil).fields == ["/expiresOn": "required"])
            let changes = try await world.events(AccountChanged.self).count
            #expect(try await verify("2098-06-30").status == 200)
            #expect(try await listed().isEmpty)
            #expect(try await world.events(AccountChanged.self).count == changes)
            let own = try await world.send("GET", "v1/accounts/me/providers/assef", token: provider.access)
            #expect(own.json?["provider"]?["state"] == "verified" && own.description.contains("2098-06-30"), "\(own)")
            // A day that is known stays.
            #expect(try await verify("2099-01-01").status == 409)
        }
    }

    private static func firstDocument(_ answer: Answer) throws -> String {
        if case .array(let documents)? = answer.json?["documents"], let first = documents.first,
            case .string(let id)? = first["document"]
        {
            return id
        }
        throw Missing(answer: "\(answer)")
    }

    private struct Missing: Error { let answer: String }
}
