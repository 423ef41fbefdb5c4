import Foundation
import Postgres

/// A feed of a market.
struct FeedRow: Sendable {
    let id: UUID
    let market: String
    let settings: FeedSettings
    let version: Int
    let changedAt: Date
    let checkedAt: Date?
    let fault: String?
    let tag: String?
    let modified: String?

    static let columns: SQL = """
        id, market, url, kind, language, publishes, active, version, changed_at, checked_at, fault, tag, modified
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        settings = FeedSettings(
            url: try row.next(), group: try row.next(), language: try row.next(), publishes: try row.next(),
            active: try row.next())
        version = try row.next()
        changedAt = try row.next()
        checkedAt = try row.next()
        fault = try row.next()
        tag = try row.next()
        modified = try row.next()
    }
}

/// What admins say of a feed.
struct FeedSettings: Codable, Hashable, Sendable {
    let url: String
    /// `local` or `world`.
    let group: String
    let language: String
    /// Whether its news are published at once; else they are drafts.
    let publishes: Bool
    let active: Bool
}

struct ListFeeds: Statement {
    static let sql: SQL = "SELECT \(FeedRow.columns) FROM content_feeds WHERE market = $1 ORDER BY id"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FeedRow { try FeedRow(&row) }
}

/// Lets the changes of a market's feeds come one after another, until the commit.
struct LockFeeds: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('feeds ' || $1, 0))"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
}

/// Stores what an admin says of a feed; it is asked for at once.
struct StoreFeed: Statement {
    static let sql: SQL = """
        INSERT INTO content_feeds (id, market, url, kind, language, publishes, active, version, changed_by, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (id) DO UPDATE
        SET url = excluded.url, kind = excluded.kind, language = excluded.language, publishes = excluded.publishes,
            active = excluded.active, version = excluded.version, changed_by = excluded.changed_by,
            changed_at = excluded.changed_at, checked_at = NULL, fault = NULL, tag = NULL, modified = NULL
        """
    let id: UUID
    let market: String
    let settings: FeedSettings
    let version: Int
    let by: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, market, settings.url, settings.group, settings.language, settings.publishes)
        bindings.append(settings.active, version, by, at)
    }
}

/// Its news stay.
struct DeleteFeed: Statement {
    static let sql: SQL = "DELETE FROM content_feeds WHERE id = $1"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
}

/// The active feed that was asked for longest ago, if that is before a moment. Another process gets another one.
struct ClaimFeed: Statement {
    static let sql: SQL = """
        UPDATE content_feeds SET checked_at = $1
        WHERE id = (
            SELECT id FROM content_feeds WHERE active AND (checked_at IS NULL OR checked_at < $2)
            ORDER BY checked_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING \(FeedRow.columns)
        """
    let now: Date
    let before: Date
    func bind(_ bindings: inout Bindings) { bindings.append(now, before) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FeedRow { try FeedRow(&row) }
}

/// Remembers how a feed answered, unless an admin has changed it meanwhile.
struct RecordFeedAnswer: Statement {
    static let sql: SQL = """
        UPDATE content_feeds SET fault = $3, tag = coalesce($4, tag), modified = coalesce($5, modified)
        WHERE id = $1 AND version = $2
        """
    let feed: FeedRow
    var fault: FeedFault?
    var tag: String?
    var modified: String?
    func bind(_ bindings: inout Bindings) {
        bindings.append(feed.id, feed.version, fault?.rawValue, tag, modified)
    }
}

/// The feed as it still is, locked until the commit; none if an admin has changed or removed it.
struct LockFeed: Statement {
    static let sql: SQL = "SELECT 1 FROM content_feeds WHERE id = $1 AND version = $2 FOR UPDATE"
    let feed: FeedRow
    func bind(_ bindings: inout Bindings) { bindings.append(feed.id, feed.version) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Those of some items that were imported before, by any feed of the market.
struct ListKnownItems: Statement {
    static let sql: SQL = """
        SELECT DISTINCT i.item FROM content_feed_items AS i JOIN content_feeds AS f ON f.id = i.feed
        WHERE f.market = $1 AND i.item = ANY ($2::bytea[])
        """
    let market: String
    let items: [[UInt8]]
    func bind(_ bindings: inout Bindings) { bindings.append(market, items) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> [UInt8] { try row.next() }
}

struct InsertFeedItem: Statement {
    static let sql: SQL = "INSERT INTO content_feed_items (feed, item, entry, at) VALUES ($1, $2, $3, $4)"
    let feed: UUID
    let item: [UInt8]
    let entry: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(feed, item, entry, at) }
}

/// Deletes imported news of a market beyond the newest ones, but none that an admin has worked on.
struct DeleteOldNews: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT i.entry FROM content_feed_items AS i JOIN content_entries AS e ON e.id = i.entry
            WHERE e.market = $1 AND NOT EXISTS (
                SELECT FROM content_versions AS v WHERE v.entry = e.id AND v.changed_by IS NOT NULL)
            ORDER BY i.at DESC, i.entry DESC OFFSET $2
        ), parted AS (
            UPDATE content_feed_items SET entry = NULL WHERE entry IN (SELECT entry FROM old)
        ), versions AS (
            DELETE FROM content_versions WHERE entry IN (SELECT entry FROM old)
        )
        DELETE FROM content_entries WHERE id IN (SELECT entry FROM old)
        """
    let market: String
    let kept: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, kept) }
}
