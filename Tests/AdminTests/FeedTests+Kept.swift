import Foundation
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Messaging
@testable import SeraiAdmin
@testable import ServiceKit

/// What stays of news, and what stays known.
extension FeedTests {
    @Test(
        "H4: what an admin has published stays among the newest hundred, and one who deletes news never sees it again")
    func published() async throws {
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                server.answers(Self.rss(["First", "Second"]))
                let added = try await add(Self.body("\(url)/rss", publishes: false), fixture)
                let id = try #require(try added.json["id"]?.string)
                let news = "/admin/v1/markets/assef/content/news"
                func ids() async throws -> [String: String] {
                    let items = try await fixture.read(news).items.compactMap { item in
                        item["title"]?["en"]?.string.map { ($0, item["id"]?.string ?? "") }
                    }
                    return Dictionary(items) { first, _ in first }
                }
                try await importing(fixture).pass()
                try await eventually("both are there") { try await ids().count == 2 }
                let first = "\(news)/\(try #require(try await ids()["First"]))"
                let second = "\(news)/\(try #require(try await ids()["Second"]))"
                let once = ["Idempotency-Key": UUID.timeOrdered().text]
                let published = try await fixture.send(
                    .POST, "\(first)/publish", as: fixture.admin, body: "{}", headers: once)
                #expect(published.status == 200, "\(published.text)")
                #expect(try await fixture.send(.DELETE, second, as: nil).status == 401)
                #expect(try await fixture.send(.DELETE, first, as: fixture.admin).status == 409)
                #expect(try await fixture.send(.DELETE, second, as: fixture.admin).status == 204)
                #expect(try await fixture.send(.DELETE, second, as: fixture.admin).status == 404)
                for part in 0..<3 {
                    server.answers(Self.rss(["Second"] + (0..<49).map { "\(part) \($0)" }))
                    _ = try await fixture.send(
                        .PUT, "\(Self.path)/\(id)", as: fixture.admin,
                        body: Self.body("\(url)/rss", publishes: false))
                    try await importing(fixture).pass()
                    try await eventually("part \(part) is there") { try await ids()["\(part) 0"] != nil }
                }
                let kept = try await ids()
                #expect(kept.count == ImportFeeds.keptNews + 1 && kept["First"] != nil && kept["Second"] == nil)
                #expect(try await fixture.acts().contains { $0["action"]?.string == "content.deleted" })
            }
        }
    }

    @Test("H4: a feed that is removed and added again brings nothing twice; another feed's numbers are its own")
    func again() async throws {
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                func count() async throws -> Int { try await published(fixture).count }
                func bring(_ path: String, _ titles: [String]) async throws -> String {
                    server.answers(Self.rss(titles))
                    let added = try await add(Self.body("\(url)\(path)"), fixture)
                    let id = try #require(try added.json["id"]?.string)
                    try await importing(fixture).pass()
                    try await eventually("it was asked for") {
                        let feed = try await fixture.read(Self.path).items.first { $0["id"]?.string == id }
                        return feed?["checkedAt"] != nil
                    }
                    return id
                }
                let first = try await bring("/a", ["1", "2"])
                try await eventually("both are there") { try await count() == 2 }
                #expect(try await fixture.send(.DELETE, "\(Self.path)/\(first)", as: fixture.admin).status == 204)
                _ = try await bring("/a", ["1", "2", "3"])
                try await eventually("the third is there") { try await count() == 3 }
                // The same guid in another feed is another item, an address is the same.
                _ = try await bring("/b", ["1", "https://news.example/9"])
                try await eventually("both of the other are there") { try await count() == 5 }
                _ = try await bring("/c", ["https://news.example/9", "10"])
                try await eventually("one of the third is there") { try await count() == 6 }
            }
        }
    }

    @Test("H4: an item without news is forgotten ninety days after a feed has named it last")
    func forgotten() async throws {
        try await FeedServer.run { server, url async throws in
            try await AdminFixture.running(settings: Self.settings) { fixture async throws in
                server.answers(Self.rss(["One"]))
                #expect(try await add(Self.body("\(url)/rss"), fixture).status == 201)
                try await importing(fixture).pass()
                try await eventually("it is there") { try await published(fixture) == ["One"] }
                let now = Date()
                func forget(after days: Double) async throws -> Int {
                    let before = now.addingTimeInterval(days * 86_400 - ImportFeeds.knownSeconds)
                    return try await fixture.pool.execute(ForgetFeedItems(before: before, limit: 10))
                }
                #expect(try await forget(after: 91) == 0)
                let item = try #require(try await fixture.pool.first(AnyFeedEntry()))
                try await fixture.pool.execute(DeleteContent(entry: item))
                #expect(try await forget(after: 89) == 0)
                #expect(try await forget(after: 91) == 1)
            }
        }
    }
}

private struct AnyFeedEntry: Statement {
    static let sql: SQL = "SELECT entry FROM content_feed_items WHERE entry IS NOT NULL LIMIT 1"
    func bind(_ bindings: inout Bindings) {}
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
