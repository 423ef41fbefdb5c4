import Foundation
import Postgres

/// Those of some items that were imported before: by this feed, by one of the same address that an admin has removed, or,
/// where the id means the same everywhere, by any feed of the market.
struct ListKnownItems: Statement {
    static let sql: SQL = """
        SELECT DISTINCT item FROM content_feed_items
        WHERE item = ANY ($4::bytea[]) AND (feed = $1 OR (market = $2 AND (source = $3 OR everywhere)))
        """
    let feed: UUID
    let market: String
    let source: [UInt8]
    let items: [[UInt8]]
    func bind(_ bindings: inout Bindings) { bindings.append(feed, market, source, items) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> [UInt8] { try row.next() }
}

struct InsertFeedItem: Statement {
    static let sql: SQL = """
        INSERT INTO content_feed_items (feed, market, source, item, everywhere, entry, at, seen_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """
    let feed: UUID
    let market: String
    let source: [UInt8]
    let item: [UInt8]
    let isEverywhere: Bool
    let entry: UUID
    /// When it was published.
    let at: Date
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(feed, market, source, item, isEverywhere)
        bindings.append(entry, at, now)
    }
}

/// Notes that items are still named, once a day. Without items: all of the feed's, which has not changed.
struct MarkItemsSeen: Statement {
    static let sql: SQL = """
        UPDATE content_feed_items SET seen_at = $3
        WHERE seen_at < $3::timestamptz - interval '1 day'
            AND (($4::bytea[] IS NULL AND feed = $1) OR (item = ANY ($4::bytea[]) AND (feed = $1 OR market = $2)))
        """
    let feed: FeedRow
    let now: Date
    let items: [[UInt8]]?
    func bind(_ bindings: inout Bindings) { bindings.append(feed.id, feed.market, now, items) }
}

/// Forgets items whose news are gone and that no feed has named for long.
struct ForgetFeedItems: Statement {
    static let sql: SQL = """
        DELETE FROM content_feed_items WHERE ctid IN (
            SELECT ctid FROM content_feed_items WHERE entry IS NULL AND seen_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Deletes imported news of a market beyond the newest ones, but none that a person has written to or published.
struct DeleteOldNews: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT i.entry FROM content_feed_items AS i JOIN content_entries AS e ON e.id = i.entry
            WHERE e.market = $1 AND NOT EXISTS (
                SELECT FROM content_versions AS v
                WHERE v.entry = e.id AND (v.changed_by IS NOT NULL OR v.published_by IS NOT NULL))
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
