import Contracts
import Crypto
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Brings the news of feeds into the markets' content (H4), each item once. Any number of processes may run this: each
/// claims the feed that was asked for longest ago.
struct ImportFeeds: Service {
    /// Between two looks for a feed that is due.
    static let interval: Duration = .seconds(10)
    /// Between two questions to the same feed.
    static let pause = 900.0
    /// The imported news of a market that stay.
    static let keptNews = 100
    /// How long an item is known that no feed names any more and whose news is gone.
    static let knownSeconds = 90 * 86_400.0
    /// Those that are forgotten at a time.
    static let batch = 1_000

    let pool: PostgresPool
    let client: FeedClient
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "feeds were not read") { try await pass() }
    }

    /// Asks for each feed that is due.
    func pass() async throws {
        try await pool.execute(
            ForgetFeedItems(before: clock().addingTimeInterval(-Self.knownSeconds), limit: Self.batch))
        while !Task.isCancelled {
            let now = clock()
            let claim = ClaimFeed(now: now, before: now.addingTimeInterval(-Self.pause))
            guard let feed = try await pool.first(claim) else { return }
            do {
                try await ask(feed)
            } catch let fault as FeedFault {
                // Not its address, which an admin may have typed a secret into.
                logger.notice("feed not read", metadata: ["feed": "\(feed.id.text)", "fault": "\(fault.rawValue)"])
                try await pool.execute(RecordFeedAnswer(feed: feed, fault: fault))
            }
        }
    }

    private func ask(_ feed: FeedRow) async throws {
        let answer = try await client.answer(feed.settings.url, tag: feed.tag, modified: feed.modified)
        var items: [FeedItem] = []
        if let bytes = answer.bytes {
            items = try await LongWork.run { try Feed.items(bytes, charset: answer.charset) }
        }
        let found = items
        try await pool.withTransaction { transaction in
            // An admin's change counts: the feed is asked anew then.
            guard try await transaction.first(LockFeed(feed: feed)) != nil else { return }
            if !found.isEmpty { try await store(found, of: feed, in: transaction) }
            if answer.bytes == nil { transaction.send(MarkItemsSeen(feed: feed, now: clock(), items: nil)) }
            transaction.send(RecordFeedAnswer(feed: feed, tag: answer.tag, modified: answer.modified))
        }
    }

    private func store(_ items: [FeedItem], of feed: FeedRow, in transaction: PostgresTransaction) async throws {
        let now = clock()
        let keyed = items.map { (key: Self.hash($0.id), item: $0) }
        let source = Self.hash(feed.settings.url)
        let (_, rows, known) = try await transaction.queryAll(
            LockContent(market: feed.market, section: .news),
            ListContent(market: feed.market, section: .news, at: now),
            ListKnownItems(feed: feed.id, market: feed.market, source: source, items: keyed.map(\.key)))
        let seen = Set(known)
        transaction.send(MarkItemsSeen(feed: feed, now: now, items: known))
        var position = rows.map(\.position).max() ?? 0
        // What admins wrote has its room; imported news beyond theirs are deleted below.
        for (key, item) in keyed.reversed() where !seen.contains(key) {
            let id = UUID.timeOrdered()
            position += 1
            let time = min(item.publishedAt ?? now, now)
            transaction.send(
                InsertContentEntry(id: id, market: feed.market, section: .news, position: position))
            transaction.send(
                try InsertContentVersion(Self.content(item, feed.settings), of: id, version: 1, by: nil, at: now))
            if feed.settings.publishes {
                transaction.send(PublishContentVersion(entry: id, version: 1, at: time, by: nil))
            }
            transaction.send(
                InsertFeedItem(
                    feed: feed.id, market: feed.market, source: source, item: key,
                    isEverywhere: item.isKnownEverywhere, entry: id, at: time, now: now))
        }
        transaction.send(DeleteOldNews(market: feed.market, kept: Self.keptNews))
    }

    private static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// - Returns: the item's text, normalized as what people type is, with its address at the end.
    static func content(_ item: FeedItem, _ feed: FeedSettings) -> Content {
        let text = FeedHTML.unmarked(TypedText.normalized(item.body))
        let host = item.link.flatMap { URL(string: $0)?.host }
        // A bracket in an address would end the link.
        let link = item.link.flatMap { link in
            host.map { "[\($0)](\(link.replacing("(", with: "%28").replacing(")", with: "%29")))" }
        }
        let body = [text, link ?? ""].filter { !$0.isEmpty }.joined(separator: "\n\n")
        return Content(
            title: LocalizedText([feed.language: TypedText.normalized(item.title)]),
            body: LocalizedText([feed.language: body]), group: feed.group)
    }
}
