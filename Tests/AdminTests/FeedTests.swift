import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOHTTP1
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import Messaging
@testable import SeraiAdmin
@testable import ServiceKit

@Suite("News that are imported from feeds", .timeLimit(.minutes(15)))
struct FeedTests {
    static let path = "/admin/v1/markets/assef/feeds"
    /// The feeds of these tests are on this machine.
    static let settings = ["SERAI_FEEDS_PRIVATE_ALLOWED": "true"]

    static func body(_ url: String, publishes: Bool = true, active: Bool = true, more: String = "") -> String {
        #"{"url": "\#(url)", "group": "local", "language": "en", "publishes": \#(publishes), "active": \#(active)\#(more)}"#
    }

    static func rss(_ titles: [String]) -> String {
        let items = titles.map {
            "<item><guid>\($0)</guid><title>\($0)</title><pubDate>Sat, 28 Nov 2020 10:15:00 GMT</pubDate></item>"
        }
        return "<rss><channel>\(items.joined())</channel></rss>"
    }

    func add(_ body: String, _ fixture: AdminFixture) async throws -> TestAnswer {
        try await fixture.send(
            .POST, Self.path, as: fixture.admin, body: body, headers: ["Idempotency-Key": UUID.timeOrdered().text])
    }

    func published(_ fixture: AdminFixture) async throws -> [String] {
        let answer = try await fixture.send(.GET, "/admin/v1/markets/assef/pages/news", as: nil)
        return try answer.json.items.compactMap { $0["title"]?.string }
    }

    func importing(_ fixture: AdminFixture) -> ImportFeeds {
        ImportFeeds(
            pool: fixture.pool, client: FeedClient(address: OutgoingAddress(allowsPrivate: true)), clock: { Date() },
            logger: TestThreads.logger)
    }

    private func fault(_ fixture: AdminFixture) async throws -> String? {
        try await importing(fixture).pass()
        // The service's own work may have claimed it first.
        let feed = try await eventually("the feed was asked for") {
            try await fixture.read(Self.path).items.first
        } satisfies: {
            $0?["checkedAt"] != nil && $0?["fault"] != nil
        }
        return feed?["fault"]?.string
    }

    @Test("H4: the news of a feed are published once, as the feed's language has them, newest first")
    func publishes() async throws {
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                server.answers(Self.rss(["Two", "One"]))
                let added = try await add(Self.body("\(url)/rss"), fixture)
                #expect(added.status == 201, "\(added.text)")
                #expect(added.headers.first(name: "etag") == "\"1\"")
                try await importing(fixture).pass()
                try await eventually("the news are there") { try await published(fixture).count == 2 }
                // Asked again at once: what was imported does not come again, and what is new does.
                server.answers(Self.rss(["Three", "Two", "One"]))
                let id = try #require(try added.json["id"]?.string)
                let changed = try await fixture.send(
                    .PUT, "\(Self.path)/\(id)", as: fixture.admin, body: Self.body("\(url)/rss"),
                    headers: ["If-Match": "\"1\""])
                #expect(changed.status == 200, "\(changed.text)")
                try await importing(fixture).pass()
                try await eventually("the new one is there") {
                    try await Set(published(fixture)) == ["One", "Two", "Three"]
                }
                let late = try await fixture.send(
                    .PUT, "\(Self.path)/\(id)", as: fixture.admin, body: Self.body("\(url)/rss"),
                    headers: ["If-Match": "\"1\""])
                #expect(late.status == 412)
                let removed = try await fixture.send(.DELETE, "\(Self.path)/\(id)", as: fixture.admin)
                #expect(removed.status == 204)
                #expect(try await published(fixture).count == 3)
                #expect(try await fixture.read(Self.path).items.isEmpty)
                let acts = try await fixture.acts().compactMap { $0["action"]?.string }
                // The change said nothing new.
                #expect(acts.sorted() == ["feed.added", "feed.removed"])
            }
        }
    }

    @Test("H4: where an admin wants to read them first, news are drafts; a paused feed is not asked for")
    func drafts() async throws {
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                server.answers(Self.rss(["One"]))
                #expect(try await add(Self.body("\(url)/a", publishes: false), fixture).status == 201)
                #expect(try await add(Self.body("\(url)/b", active: false), fixture).status == 201)
                try await importing(fixture).pass()
                let news = "/admin/v1/markets/assef/content/news"
                let drafts = try await eventually("the draft is there") {
                    try await fixture.read(news).items
                } satisfies: {
                    !$0.isEmpty
                }
                #expect(drafts.map { $0["shown"] == nil && $0["by"] == nil } == [true])
                #expect(try await published(fixture).isEmpty)
                #expect(server.questions.allSatisfy { $0 == "/a" })
            }
        }
    }

    @Test("H4: of the imported news of a market the newest hundred stay, and none that an admin has changed goes")
    func old() async throws {
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                server.answers(Self.rss(["First"]))
                let added = try await add(Self.body("\(url)/rss"), fixture)
                let id = try #require(try added.json["id"]?.string)
                try await importing(fixture).pass()
                let news = "/admin/v1/markets/assef/content/news"
                let first = try await eventually("the first is there") {
                    try await fixture.read(news).items.first
                } satisfies: {
                    $0 != nil
                }
                let entry = try #require(first?["id"]?.string)
                let text = #"{"title": {"en": "Kept", "ar": "باق"}, "body": {"en": "A", "ar": "أ"}, "group": "local"}"#
                #expect(
                    try await fixture.send(.PUT, "\(news)/\(entry)", as: fixture.admin, body: text).status == 200)
                for part in 0..<3 {
                    server.answers(Self.rss((0..<50).map { "\(part) \($0)" }))
                    _ = try await fixture.send(
                        .PUT, "\(Self.path)/\(id)", as: fixture.admin, body: Self.body("\(url)/rss"))
                    try await importing(fixture).pass()
                    try await eventually("part \(part) is there") {
                        try await fixture.read(news).items.contains { $0["title"]?["en"]?.string == "\(part) 0" }
                    }
                }
                let titles = try await fixture.read(news).items.compactMap { $0["title"]?["en"]?.string }
                #expect(titles.count == ImportFeeds.keptNews + 1)
                #expect(titles.contains("Kept") && titles.contains("2 49") && !titles.contains("0 0"))
            }
        }
    }

    @Test("H4: why a feed cannot be read is told to its admins")
    func faults() async throws {
        let answers: [(status: HTTPResponse.Status, body: String, path: String, fault: String)] = [
            (.notFound, "", "/a", "status"), (.ok, "<rss>", "/b", "malformed"), (.ok, "<html/>", "/c", "unknown"),
            (.ok, String(repeating: "x", count: FeedClient.maximumBytes + 1), "/d", "too-large"),
        ]
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                for (status, body, path, expected) in answers {
                    server.answers(body, status: status)
                    let added = try await add(Self.body(url + path), fixture)
                    #expect(try await fault(fixture) == expected)
                    let id = try #require(try added.json["id"]?.string)
                    _ = try await fixture.send(.DELETE, "\(Self.path)/\(id)", as: fixture.admin)
                }
            }
        }
    }

    @Test("H4, Q6: a feed that comes drop by drop is given up in time")
    func drops() async throws {
        try await FeedServer.run { _, url async throws in
            let client = FeedClient(
                address: OutgoingAddress(allowsPrivate: true), timeLimit: .milliseconds(400))
            await #expect(throws: FeedFault.unreachable) { _ = try await client.answer(url + "/drops") }
        }
    }

    @Test("H4: redirects are followed to feeds alone: not without end, to no other scheme, and to no address within")
    func addresses() async throws {
        try await FeedServer.run { server, url async throws in
            server.answers(Self.rss(["One"]))
            let open = FeedClient(address: OutgoingAddress(allowsPrivate: true))
            let moved = try await open.answer("\(url)/to?\(url)/rss")
            #expect(try Feed.items(try #require(moved.bytes), charset: nil).map(\.title) == ["One"])
            await #expect(throws: FeedFault.status) { try await open.answer("\(url)/loop") }
            for away in ["file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/"] {
                await #expect(throws: FeedFault.address) { try await open.answer("\(url)/to?\(away)") }
            }
            let strict = FeedClient(address: OutgoingAddress(allowsPrivate: false))
            for within in [
                url, "https://127.0.0.1/rss", "https://localhost/rss", "https://[::1]/rss", "https://10.0.0.1/rss",
                "https://169.254.169.254/latest", "https://user:secret@example.com/rss",
            ] {
                await #expect(throws: FeedFault.address) { try await strict.answer(within) }
            }
        }
    }

    @Test("H4: what has not changed since is not read again")
    func unchanged() async throws {
        try await FeedServer.run { server, url async throws in
            server.answers(Self.rss(["One"]))
            let client = FeedClient(address: OutgoingAddress(allowsPrivate: true))
            let first = try await client.answer("\(url)/rss")
            #expect(first.tag == "\"feed\"")
            let second = try await client.answer("\(url)/rss", tag: first.tag)
            #expect(second.bytes == nil)
        }
    }

    @Test(
        "H4, P10: an address, a group and a language that there are not are named, and one feed stands in the list once"
    )
    func refused() async throws {
        try await AdminFixture.running { fixture async throws in
            let bad: [(String, String, String)] = [
                (Self.body("http://news.example/rss"), "/url", "not-a-feed-address"),
                (Self.body("file:///etc/passwd"), "/url", "not-a-feed-address"),
                (Self.body("https://a:b@news.example/"), "/url", "not-a-feed-address"),
                (Self.body("https://[::1]/"), "/url", "not-a-feed-address"),
                (Self.body("https://169.254.169.254/latest"), "/url", "not-a-feed-address"),
                (Self.body("https://news.example/").replacing("local", with: "hospitals"), "/group", "not-a-choice"),
                (Self.body("https://news.example/").replacing(#""en""#, with: #""fr""#), "/language", "not-a-choice"),
            ]
            for (body, field, code) in bad {
                let answer = try await add(body, fixture)
                #expect(try answer.codes == [field: code], "\(answer.text)")
            }
            let paused = Self.body("https://news.example/rss", active: false)
            #expect(try await add(paused, fixture).status == 201)
            #expect(try await add(paused, fixture).codes == ["/url": "feed-known"])
        }
    }

    @Test("Q7: nobody but the market's admins sees and changes its feeds")
    func access() async throws {
        try await AdminFixture.running { fixture async throws in
            let body = Self.body("https://news.example/rss", active: false)
            let id = try #require(try await add(body, fixture).json["id"]?.string)
            let routes: [(HTTPMethod, String, String?)] = [
                (.GET, Self.path, nil), (.POST, Self.path, body), (.PUT, "\(Self.path)/\(id)", body),
                (.DELETE, "\(Self.path)/\(id)", nil),
            ]
            let wrong: [(TestCaller?, Int)] = [
                (nil, 401), (TestCaller(roles: []), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                (TestCaller(roles: [MarketRole(market: "edencare", role: "admin")]), 403),
            ]
            for (method, path, body) in routes {
                for (caller, status) in wrong {
                    let answer = try await fixture.send(
                        method, path, as: caller, body: body, headers: ["Idempotency-Key": UUID.timeOrdered().text])
                    #expect(answer.status == status, "\(method) \(path)")
                }
            }
            let elsewhere = "/admin/v1/markets/edencare/feeds/\(id)"
            #expect(try await fixture.send(.DELETE, elsewhere, as: fixture.master).status == 404)
        }
    }
}

/// A server that plays a site with a feed: one answer on all paths, but `/loop`, which leads to itself, and `/to`, which leads
/// to what its query names.
final class FeedServer: Sendable {
    private let asked = Mutex<[String]>([])
    private let reply = Mutex((status: HTTPResponse.Status.ok, body: ""))

    static func run(_ body: @escaping @Sendable (FeedServer, _ url: String) async throws -> Void) async throws {
        let server = FeedServer()
        let router = Router()
        router.get("**") { request, _ in server.answer(request) }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestThreads.logger)
        try await application.test(.live) { client in
            try await body(server, "http://127.0.0.1:\(try #require(client.port))")
        }
    }

    private func answer(_ request: Request) -> Response {
        asked.withLock { $0.append(request.uri.path) }
        switch request.uri.path {
        case "/loop": return Response(status: .found, headers: [.location: "/loop"])
        case "/to": return Response(status: .movedPermanently, headers: [.location: request.uri.query ?? ""])
        case "/drops": return Response(status: .ok, body: .drops)
        default: break
        }
        if request.headers[.ifNoneMatch] == "\"feed\"" { return Response(status: .notModified) }
        let reply = reply.withLock { $0 }
        return Response(
            status: reply.status, headers: [.contentType: "application/rss+xml", .eTag: "\"feed\""],
            body: ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
    }

    func answers(_ body: String, status: HTTPResponse.Status = .ok) { reply.withLock { $0 = (status, body) } }

    var questions: [String] { asked.withLock { $0 } }
}
