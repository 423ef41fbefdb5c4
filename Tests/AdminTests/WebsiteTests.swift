import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import SeraiJSON
import TestKit
import Testing

@testable import Messaging
@testable import SeraiAdmin
@testable import ServiceKit

@Suite("The public website", .timeLimit(.minutes(15)))
struct WebsiteTests {
    private static let pages = ["", "/about", "/privacy", "/terms", "/faq", "/contact"]
    private static let seeded = ["SERAI_CONTENT_SEEDS": "true", "SERAI_SITE_URL": "https://serai.test"]

    /// With the texts that come with the program.
    private func running(_ body: (AdminFixture) async throws -> Void) async throws {
        try await AdminFixture.running(settings: Self.seeded) { fixture async throws in
            try await SeedContent(pool: fixture.pool, clock: { Date() }, logger: TestThreads.logger)()
            try await body(fixture)
        }
    }

    @Test("A4: each page of each market is there in each language, with its name, its look and no program")
    func everywhere() async throws {
        try await running { fixture async throws in
            for market in Market.all {
                for language in market.defaults.languages {
                    for page in Self.pages {
                        let path = "/site/\(market.id)/\(language)\(page)"
                        let answer = try await fixture.send(.GET, path, as: nil, headers: ["Accept": "text/html"])
                        #expect(answer.status == 200, "\(path)")
                        let direction = language == "ar" ? "rtl" : "ltr"
                        #expect(answer.text.contains(#"<html lang="\#(language)" dir="\#(direction)">"#), "\(path)")
                        #expect(answer.text.contains(#"<body class="\#(market.id)">"#), "\(path)")
                        #expect(answer.text.contains(PageText().escapeText(market.name.text(in: language))), "\(path)")
                        #expect(
                            answer.text.contains(#"<link rel="canonical" href="https://serai.test\#(path)">"#),
                            "\(path)")
                        for other in market.defaults.languages {
                            let address = "https://serai.test/site/\(market.id)/\(other)\(page)"
                            #expect(
                                answer.text.contains(#"hreflang="\#(other)" href="\#(address)">"#), "\(path) \(other)")
                        }
                        #expect(!answer.text.contains("<script") && !answer.text.contains(" style="), "\(path)")
                        #expect(answer.text.components(separatedBy: "<h1>").count == 2, "\(path)")
                        try Self.wellFormed(answer.text, path)
                    }
                }
            }
        }
    }

    @Test("A4: a page may be kept, says what it may load, and is not sent again while it is the same")
    func headers() async throws {
        try await running { fixture async throws in
            let answer = try await fixture.send(.GET, "/site/btnc/en/faq", as: nil)
            #expect(answer.headers.first(name: "content-type") == "text/html; charset=utf-8")
            #expect(answer.headers.first(name: "content-language") == "en")
            #expect(answer.headers.first(name: "cache-control") == "public, max-age=300")
            #expect(answer.headers.first(name: "content-security-policy") == SiteRoutes.policy)
            #expect(answer.headers.first(name: "x-content-type-options") == "nosniff")
            let tag = try #require(answer.headers.first(name: "etag"))
            let again = try await fixture.send(
                .GET, "/site/btnc/en/faq", as: nil, headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.text.isEmpty)
            #expect(answer.text.contains("https://schema.org/FAQPage"))
        }
    }

    @Test("A4, P7: without a language the reader's is chosen, else the market's first")
    func language() async throws {
        try await AdminFixture.running { fixture async throws in
            for (asked, market, expected) in [
                ("ar", "btnc", "ar"), ("en", "assef", "en"), ("fr", "btnc", Market.btnc.defaults.languages[0]),
                ("fr", "assef", Market.assef.defaults.languages[0]),
            ] {
                let answer = try await Self.unfollowed(fixture, "/site/\(market)", language: asked)
                #expect(answer.status == 303)
                #expect(answer.location == "/site/\(market)/\(expected)")
            }
        }
    }

    @Test("A4: what there is not is a page that says so, in the market's look, and is not kept")
    func missing() async throws {
        try await AdminFixture.running { fixture async throws in
            for path in [
                "/site/btnc/en/secrets", "/site/btnc/fr", "/site/btnc/en/start", "/site/none/en", "/site/none/ar/faq",
                "/site/none",
            ] {
                let answer = try await fixture.send(.GET, path, as: nil, headers: ["Accept-Language": "en"])
                #expect(answer.status == 404, "\(path)")
                #expect(answer.text.contains(#"<meta name="robots" content="noindex">"#), "\(path)")
                #expect(answer.headers.first(name: "cache-control") == "no-store", "\(path)")
                try Self.wellFormed(answer.text, path)
            }
            let arabic = try await fixture.send(.GET, "/site/btnc/ar/secrets", as: nil)
            #expect(arabic.text.contains("الصفحة غير موجودة") && arabic.text.contains(#"dir="rtl""#))
        }
    }

    @Test("A4, Q7: nothing that an admin writes becomes markup, and drafts are on no page")
    func markup() async throws {
        // A quote with an accent is one character of Swift, and a quote still to a browser.
        let attack = "\"\u{301} onload=alert(1) x=\"<script>alert(1)</script>&amp;'"
        try await AdminFixture.running { fixture async throws in
            for (section, page) in [("brief", ""), ("about", "/about"), ("faq", "/faq"), ("support", "/contact")] {
                let path = "/admin/v1/markets/assef/content/\(section)"
                let words = JSONValue.object(["en": .string(attack), "ar": .string(attack)])
                let text = JSONValue.object(["title": words, "body": words])
                let body = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
                func post(_ path: String, _ body: String) async throws -> TestAnswer {
                    try await fixture.send(
                        .POST, path, as: fixture.admin, body: body,
                        headers: ["Idempotency-Key": UUID.timeOrdered().text])
                }
                let added = try await post(path, body)
                #expect(added.status == 201, "\(added.text)")
                let draft = try await fixture.send(.GET, "/site/assef/en\(page)", as: nil)
                #expect(!draft.text.contains("alert(1)"), "\(page)")
                let id = try #require(try added.json["id"]?.string)
                #expect(try await post("\(path)/\(id)/publish", "{}").status == 200)
                let shown = try await fixture.send(.GET, "/site/assef/en\(page)", as: nil)
                #expect(shown.text.contains("alert(1)"), "\(page)")
                #expect(!shown.text.contains("<script"), "\(page)")
                let scalars = Array(shown.text.unicodeScalars)
                // Each quote that is left is one of the template.
                #expect(
                    !zip(scalars, scalars.dropFirst()).contains { $0 == "\"" && $1 == "\u{301}" }, "\(page)")
                try Self.wellFormed(shown.text, page)
            }
            let other = try await fixture.send(.GET, "/site/edencare/en/about", as: nil)
            #expect(!other.text.contains("alert(1)"))
        }
    }

    @Test("A4: search engines find all pages of the website, and none of the app")
    func engines() async throws {
        try await AdminFixture.running(settings: Self.seeded) { fixture async throws in
            let robots = try await fixture.send(.GET, "/site/robots.txt", as: nil)
            #expect(robots.text.contains("Disallow: /\n") && robots.text.contains("Allow: /site/\n"))
            #expect(robots.text.contains("Sitemap: https://serai.test/sitemap.xml\n"))
            let map = try await fixture.send(.GET, "/site/sitemap.xml", as: nil)
            #expect(map.headers.first(name: "content-type") == "application/xml; charset=utf-8")
            let count = Market.all.map { $0.defaults.languages.count }.reduce(0, +) * Self.pages.count
            #expect(map.text.components(separatedBy: "<loc>https://serai.test/site/").count == count + 1)
            try Self.wellFormed(map.text, "sitemap.xml")
            let style = try await fixture.send(.GET, "/site/style.css", as: nil)
            #expect(style.headers.first(name: "content-type") == "text/css; charset=utf-8")
            for market in Market.all { #expect(style.text.contains(".\(market.id) {"), "\(market.id)") }
        }
    }

    @Test("A3: each market's first texts are in both languages, of sections that there are, with links that are safe")
    func seeds() throws {
        #expect(Set(ContentSeeds.markets).isSuperset(of: Market.all.map(\.id)))
        for market in ContentSeeds.markets {
            let sections = try ContentSeeds.entries(of: market)
            let names = Set(sections.map(\.section))
            #expect(names.isSuperset(of: [.brief, .about, .privacy, .faq, .support]), "\(market)")
            #expect(names.contains(.terms) == (Market.named(market) != nil), "\(market)")
            for (section, entries) in sections {
                for entry in entries {
                    for language in ["en", "ar"] {
                        #expect(entry.title.texts[language]?.isEmpty == false, "\(market) \(section)")
                        let body = entry.body.texts[language]
                        #expect(section == .contacts || body?.isEmpty == false, "\(market) \(section)")
                        #expect(ContentText.refusedLinks(body ?? "").isEmpty, "\(market) \(section)")
                    }
                    #expect(section.groups.isEmpty || section.groups.contains(entry.group ?? ""), "\(market)")
                }
            }
        }
    }

    @Test("A3: texts that come with the program are stored once, and an admin's stay")
    func seedsOnce() async throws {
        try await running { fixture async throws in
            let seed = SeedContent(pool: fixture.pool, clock: { Date() }, logger: TestThreads.logger)
            let path = "/admin/v1/markets/assef/content/about"
            let first = try await fixture.read(path).items
            #expect(first.count == 1 && first[0]["by"] == nil && first[0]["shown"]?.integer == 1)
            let id = try #require(first[0]["id"]?.string)
            let withdrawn = try await fixture.send(
                .POST, "\(path)/\(id)/withdraw", as: fixture.admin, body: "{}",
                headers: ["Idempotency-Key": UUID.timeOrdered().text])
            #expect(withdrawn.status == 200)
            try await seed()
            let again = try await fixture.read(path).items
            #expect(again.count == 1 && again[0]["shown"] == nil)
        }
    }

    // MARK: Help of these tests

    /// Each element ends where it should; those that have no end have none.
    private static func wellFormed(_ text: String, _ page: String) throws {
        let empty: Set<Substring> = ["meta", "link", "br"]
        var open: [Substring] = []
        for match in text.matches(of: /<(\/?)([A-Za-z][A-Za-z0-9:]*)((?:\s+[A-Za-z:-]+(?:="[^"<]*")?)*)\s*(\/?)>/) {
            let name = match.2
            if match.1.isEmpty {
                if match.4.isEmpty, !empty.contains(name) { open.append(name) }
            } else {
                #expect(open.popLast() == name, "\(page): </\(name)>")
            }
        }
        #expect(open == [], "\(page)")
        // Every bracket belongs to an element, to the document type or to the XML declaration.
        let rest = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "").replacing(
            /<!doctype html>|<\?xml [^<>]*\?>/, with: "")
        #expect(!rest.contains("<") && !rest.contains(">"), "\(page)")
    }

    private static func unfollowed(
        _ fixture: AdminFixture, _ path: String, language: String
    ) async throws -> (status: Int, location: String?) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(fixture.port)\(path)")
        request.headers.add(name: "accept-language", value: language)
        let response = try await client.execute(request, timeout: .seconds(60))
        try await client.shutdown()
        return (Int(response.status.code), response.headers.first(name: "location"))
    }
}
