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

/// Its news stay, and its items stay known.
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
