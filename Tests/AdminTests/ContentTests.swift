import Contracts
import Foundation
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Messaging
@testable import SeraiAdmin
@testable import ServiceKit

@Suite("What a market's admins write for everybody", .timeLimit(.minutes(15)))
struct ContentTests {
    private static let path = "/admin/v1/markets/assef/content"
    private static let pages = "/admin/v1/markets/assef/pages"

    private static func text(_ title: String, _ body: String = "Text", more: String = "") -> String {
        #"{"title": {"en": "\#(title)", "ar": "عنوان"}, "body": {"en": "\#(body)", "ar": "نص"}\#(more)}"#
    }

    private func post(
        _ path: String, _ body: String = "{}", _ fixture: AdminFixture, headers: [String: String] = [:]
    ) async throws -> TestAnswer {
        let once = ["Idempotency-Key": UUID.timeOrdered().text]
        return try await fixture.send(
            .POST, path, as: fixture.admin, body: body, headers: once.merging(headers) { $1 })
    }

    /// The path of a new draft.
    private func draft(_ title: String, in section: String, _ fixture: AdminFixture) async throws -> String {
        let added = try await post("\(Self.path)/\(section)", Self.text(title), fixture)
        #expect(added.status == 201, "\(added.text)")
        return "\(Self.path)/\(section)/\(try #require(try added.json["id"]?.string))"
    }

    private func titles(_ section: String, _ fixture: AdminFixture, language: String = "en") async throws -> [String] {
        let answer = try await fixture.send(
            .GET, "\(Self.pages)/\(section)", as: nil, headers: ["Accept-Language": language])
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json.items.compactMap { $0["title"]?.string }
    }

    @Test("A3: a draft is seen by nobody, a published text by everybody in their language, and by no other market")
    func publish() async throws {
        try await AdminFixture.running { fixture async throws in
            let entry = try await draft("Who pays?", in: "faq", fixture)
            #expect(try await titles("faq", fixture).isEmpty)
            let published = try await post("\(entry)/publish", "{}", fixture)
            #expect(published.status == 200, "\(published.text)")
            #expect(try published.json["shown"]?.integer == 1)
            #expect(try await titles("faq", fixture) == ["Who pays?"])
            #expect(try await titles("faq", fixture, language: "ar") == ["عنوان"])
            #expect(try await titles("about", fixture).isEmpty)
            let page = try await fixture.send(.GET, "\(Self.pages)/faq", as: nil)
            #expect(page.headers.first(name: "cache-control") == "public, max-age=60")
            let tag = try #require(page.headers.first(name: "etag"))
            let known = try await fixture.send(.GET, "\(Self.pages)/faq", as: nil, headers: ["If-None-Match": tag])
            #expect(known.status == 304)
            let other = try await fixture.send(.GET, "/admin/v1/markets/edencare/pages/faq", as: nil)
            #expect(try other.json.items.isEmpty)
            for wrong in ["/admin/v1/markets/none/pages/faq", "\(Self.pages)/secrets"] {
                #expect(try await fixture.send(.GET, wrong, as: nil).status == 404)
            }
            let acts = try await fixture.acts().compactMap { $0["action"]?.string }
            #expect(acts.sorted() == ["content.added", "content.published"])
        }
    }

    @Test("A3: a new version is a draft beside what is published, and a former text can be brought back")
    func versions() async throws {
        try await AdminFixture.running { fixture async throws in
            let entry = try await draft("First", in: "about", fixture)
            _ = try await post("\(entry)/publish", "{}", fixture)
            let changed = try await fixture.send(
                .PUT, entry, as: fixture.admin, body: Self.text("Second"), headers: ["If-Match": "\"1\""])
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.headers.first(name: "etag") == "\"2\"")
            #expect(try await titles("about", fixture) == ["First"])
            let late = try await fixture.send(
                .PUT, entry, as: fixture.admin, body: Self.text("Third"), headers: ["If-Match": "\"1\""])
            #expect(late.status == 412)
            let same = try await fixture.send(.PUT, entry, as: fixture.admin, body: Self.text("Second"))
            #expect(try same.json["version"]?.integer == 2)
            _ = try await post("\(entry)/publish", "{}", fixture)
            #expect(try await titles("about", fixture) == ["Second"])
            let restored = try await post("\(entry)/versions/1/restore", "{}", fixture)
            #expect(try restored.json["version"]?.integer == 3)
            #expect(try restored.json["title"]?["en"]?.string == "First")
            #expect(try await titles("about", fixture) == ["Second"])
            _ = try await post("\(entry)/publish", "{}", fixture)
            #expect(try await titles("about", fixture) == ["First"])
            #expect(try await post("\(entry)/versions/9/restore", "{}", fixture).status == 404)
            let versions = try await fixture.read("\(entry)/versions").items
            #expect(versions.compactMap { $0["version"]?.integer } == [3, 2, 1])
            #expect(versions.allSatisfy { $0["by"]?.string == fixture.admin.account.text })
        }
    }

    @Test("A3: what is published at a time waits for it, and a newer word takes it back; withdrawn is seen by nobody")
    func schedule() async throws {
        try await AdminFixture.running { fixture async throws in
            let entry = try await draft("Later", in: "privacy", fixture)
            let tomorrow = Timestamp.text(Date().addingTimeInterval(86_400))
            let planned = try await post("\(entry)/publish", #"{"at": "\#(tomorrow)"}"#, fixture)
            #expect(planned.status == 200, "\(planned.text)")
            #expect(try planned.json["shown"] == nil)
            #expect(try planned.json["plannedAt"]?.string != nil)
            #expect(try await titles("privacy", fixture).isEmpty)
            _ = try await fixture.send(.PUT, entry, as: fixture.admin, body: Self.text("Now"))
            _ = try await post("\(entry)/publish", "{}", fixture)
            #expect(try await titles("privacy", fixture) == ["Now"])
            let versions = try await fixture.read("\(entry)/versions").items
            #expect(versions.map { $0["publishedAt"]?.string == nil } == [false, true])
            _ = try await post("\(entry)/withdraw", "{}", fixture)
            #expect(try await titles("privacy", fixture).isEmpty)
            _ = try await post("\(entry)/publish", "{}", fixture)
            #expect(try await titles("privacy", fixture) == ["Now"])
            let far = Timestamp.text(Date().addingTimeInterval(400 * 86_400))
            #expect(try await post("\(entry)/publish", #"{"at": "\#(far)"}"#, fixture).status == 422)
        }
    }

    @Test("A3: admins put entries into an order, and news come newest first")
    func order() async throws {
        try await AdminFixture.running { fixture async throws in
            let (one, two) = (
                try await draft("One", in: "faq", fixture), try await draft("Two", in: "faq", fixture)
            )
            for entry in [one, two] { _ = try await post("\(entry)/publish", "{}", fixture) }
            #expect(try await titles("faq", fixture) == ["One", "Two"])
            let first = try #require(one.split(separator: "/").last)
            let moved = try await fixture.send(
                .PUT, "\(two)/place", as: fixture.admin, body: #"{"before": "\#(first)"}"#)
            #expect(moved.status == 200, "\(moved.text)")
            #expect(try await titles("faq", fixture) == ["Two", "One"])
            // An entry is found only in its own section.
            let elsewhere = two.replacing("/faq/", with: "/about/")
            #expect(
                try await fixture.send(.PUT, elsewhere, as: fixture.admin, body: Self.text("A")).status == 404)
            for title in ["Old", "New"] {
                let added = try await post(
                    "\(Self.path)/news", Self.text(title, more: #", "group": "local""#), fixture)
                let id = try #require(try added.json["id"]?.string)
                _ = try await post("\(Self.path)/news/\(id)/publish", "{}", fixture)
            }
            #expect(try await titles("news", fixture) == ["New", "Old"])
        }
    }

    @Test("A3, P10: each language is asked for, bad links, groups and numbers are named, and change nothing")
    func refused() async throws {
        try await AdminFixture.running { fixture async throws in
            let bad: [(String, String, String)] = [
                ("faq", #"{"title": {"en": "A"}, "body": {"en": "B", "ar": "ب"}}"#, "/title/ar"),
                ("faq", Self.text("A", "[x](javascript:alert)"), "/body/en"),
                ("news", Self.text("A"), "/group"),
                ("news", Self.text("A", more: #", "group": "hospitals""#), "/group"),
                ("contacts", Self.text("A", more: #", "group": "hospitals""#), "/number"),
                ("contacts", Self.text("A", more: #", "group": "hospitals", "number": "call me""#), "/number"),
            ]
            for (section, body, field) in bad {
                let answer = try await post("\(Self.path)/\(section)", body, fixture)
                #expect(answer.status == 422, "\(answer.text)")
                #expect(answer.text.contains(field), "\(answer.text)")
            }
            let body = #"{"title": {"en": "Rescue", "ar": "الإسعاف"}, "group": "emergencies", "number": "٩٩٧"}"#
            let rescue = try await post("\(Self.path)/contacts", body, fixture)
            #expect(rescue.status == 201, "\(rescue.text)")
            #expect(try rescue.json["number"]?.string == "997")
            #expect(try await fixture.acts().count == 1)
        }
    }

    @Test("X8: people accept the terms that are published, now or at a time; there is one text, which stays")
    func terms() async throws {
        try await AdminFixture.running { fixture async throws in
            let entry = try await draft("Terms", in: "terms", fixture)
            #expect(try await post("\(Self.path)/terms", Self.text("Others"), fixture).status == 409)
            #expect(try await told(fixture).isEmpty)
            #expect(try await post("\(entry)/publish", "{}", fixture).status == 200)
            let day = Timestamp.text(Date()).prefix(10)
            #expect(try await told(fixture).map(\.version) == ["\(day)-1"])
            let withdrawn = try await post("\(entry)/withdraw", "{}", fixture)
            #expect(withdrawn.status == 409)
            #expect(try withdrawn.slug == "one-text")
            _ = try await fixture.send(
                .PUT, entry, as: fixture.admin,
                body: Self.text("Terms", #"1. Be **kind**.\n2. [Read](https://a.example)."#))
            let soon = Timestamp.text(Date().addingTimeInterval(2))
            #expect(try await post("\(entry)/publish", #"{"at": "\#(soon)"}"#, fixture).status == 200)
            let second = try await eventually("the later ones are told") {
                try await told(fixture)
            } satisfies: {
                $0.count == 2
            }
            #expect(second[1].number == 2 && second[1].market == "assef")
            #expect(second[1].text.text(in: "en") == "1. Be kind.\n2. Read (https://a.example).")
            // Told again, they are the same.
            _ = try await Republication(
                pool: fixture.pool, kinds: [TellTerms.republished { Date() }], logger: TestThreads.logger
            ).run()
            let again = try await told(fixture)
            #expect(again.map(\.version) == second.map(\.version) + [second[1].version])
        }
    }

    @Test(
        "A3: a text has a picture once it is told what the picture shows, and the picture is kept as long as a version names it"
    )
    func pictures() async throws {
        try await AdminFixture.running { fixture async throws in
            let entry = try await draft("Mosque", in: "rituals", fixture)
            let pictured = try await fixture.upload(
                "\(entry)/image", SampleFiles.png, as: "image/png", headers: ["If-Match": "\"1\""])
            #expect(pictured.status == 200, "\(pictured.text)")
            let url = try #require(try pictured.json["image"]?.string)
            #expect(try pictured.json["version"]?.integer == 2)
            #expect(try await fixture.send(.GET, url, as: nil).status == 200)
            let silent = try await post("\(entry)/publish", "{}", fixture)
            #expect(silent.status == 409)
            #expect(try silent.slug == "picture-without-words")
            let words = #", "alt": {"en": "A white dome", "ar": "قبة بيضاء"}"#
            let half = try await fixture.send(
                .PUT, entry, as: fixture.admin, body: Self.text("Mosque", more: #", "alt": {"en": "A white dome"}"#))
            #expect(try half.codes == ["/alt/ar": "required"])
            #expect(
                try await fixture.send(.PUT, entry, as: fixture.admin, body: Self.text("Mosque", more: words)).status
                    == 200)
            #expect(try await post("\(entry)/publish", "{}", fixture).status == 200)
            let page = try await fixture.read("\(Self.pages)/rituals", as: fixture.admin).items
            #expect(page.first?["image"]?["url"]?.string == url)
            #expect(page.first?["image"]?["alt"]?.string?.isEmpty == false)
            // A text that is written without its words keeps them.
            let kept = try await fixture.send(.PUT, entry, as: fixture.admin, body: Self.text("Dome"))
            #expect(try kept.json["alt"]?["en"]?.string == "A white dome")
            let removed = try await fixture.send(.DELETE, "\(entry)/image", as: fixture.admin)
            #expect(removed.status == 200, "\(removed.text)")
            #expect(try removed.json["image"] == nil && removed.json["alt"] == nil)
            // What is published still names it, long after.
            try await fixture.pool.execute(
                DeleteUnusedImages(market: "assef", before: Date().addingTimeInterval(86_400), used: []))
            #expect(try await fixture.send(.GET, url, as: nil).status == 200)
            let big = try await fixture.upload("\(entry)/image", Array("<svg/>".utf8), as: "image/png")
            #expect(big.status == 422)
        }
    }

    /// What was told of terms, oldest first.
    private func told(_ fixture: AdminFixture) async throws -> [TermsPublished] {
        try await fixture.pool.query(ListToldTerms()).map { try JSON.wire.decode(TermsPublished.self, $0.utf8) }
    }

    @Test("Q7: nobody but the market's admins writes or reads drafts")
    func access() async throws {
        try await AdminFixture.running { fixture async throws in
            let entry = try await draft("A", in: "faq", fixture)
            let routes: [(HTTPMethod, String, String?)] = [
                (.GET, "\(Self.path)/faq", nil), (.POST, "\(Self.path)/faq", Self.text("B")),
                (.PUT, entry, Self.text("B")), (.GET, "\(entry)/versions", nil),
                (.POST, "\(entry)/versions/1/restore", "{}"), (.POST, "\(entry)/publish", "{}"),
                (.POST, "\(entry)/withdraw", "{}"), (.PUT, "\(entry)/place", "{}"), (.DELETE, "\(entry)/image", nil),
                (.PUT, "\(entry)/image", nil),
            ]
            let wrong: [(TestCaller?, Int)] = [
                (nil, 401), (TestCaller(roles: []), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "provider")]), 403),
                (TestCaller(roles: [MarketRole(market: "edencare", role: "admin")]), 403),
            ]
            for (method, path, body) in routes {
                for (caller, status) in wrong {
                    let answer = try await fixture.send(
                        method, path, as: caller, body: body, headers: ["Idempotency-Key": UUID.timeOrdered().text])
                    #expect(answer.status == status, "\(method) \(path)")
                }
            }
            // An entry of another market is not found by its id.
            let elsewhere = entry.replacing("/assef/", with: "/edencare/")
            #expect(
                try await fixture.send(
                    .PUT, elsewhere, as: fixture.master, body: Self.text("B")
                ).status == 404)
            #expect(try await fixture.acts(as: fixture.master).count == 1)
        }
    }
}

/// Nobody reads them here, so they stay for a while.
private struct ListToldTerms: Statement {
    static let sql: SQL = "SELECT payload FROM outbox WHERE name = 'admin.terms.published.v1' ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
