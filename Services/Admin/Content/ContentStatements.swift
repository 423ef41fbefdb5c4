import Foundation
import Postgres
import SeraiJSON

/// An entry with its newest version, as its admins see it.
struct ContentRow: Sendable {
    let id: UUID
    let position: Int
    /// The newest version.
    let version: Int
    /// JSON.
    let text: String
    /// When the newest version is published; nil for a draft.
    let publishedAt: Date?
    /// Nil for a text that came with the program.
    let changedBy: UUID?
    let changedAt: Date
    /// The version that everybody sees; nil for none.
    let shown: Int?
    /// When another version takes its place; nil for never.
    let plannedAt: Date?
}

struct PublishedContentRow: Sendable {
    let id: UUID
    let text: String
    let publishedAt: Date
}

struct ContentVersionRow: Sendable {
    let version: Int
    let text: String
    let publishedAt: Date?
    /// Nil for a text that came with the program.
    let changedBy: UUID?
    let changedAt: Date
}

extension Content {
    /// Nil for a text that another version of the program wrote and this one does not understand.
    init?(stored text: String) {
        // try?: what cannot be read is left out, as an entry of the catalogue is.
        guard let content = try? JSON.stored.decode(Content.self, text.utf8) else { return nil }
        self = content
    }
}

/// Lets the changes of a section come one after another, until the commit.
struct LockContent: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('content ' || $1 || ' ' || $2, 0))"
    let market: String
    let section: ContentSection
    func bind(_ bindings: inout Bindings) { bindings.append(market, section.rawValue) }
}

enum ContentSQL {
    /// The version of the entry `e` that is shown at a moment, which is the third parameter.
    static let shown: SQL = """
        SELECT v.version, v.content, v.published_at FROM content_versions AS v
        WHERE v.entry = e.id AND v.published_at <= $3 AND (e.hidden_at IS NULL OR v.published_at > e.hidden_at)
        ORDER BY v.published_at DESC, v.version DESC LIMIT 1
        """
}

/// A section in its order. Of news beyond the limit the oldest are left out, of others the last.
struct ListContent: Statement {
    static let sql: SQL = """
        SELECT e.id, e.position, e.version, n.content, n.published_at, n.changed_by, n.changed_at, s.version,
            (SELECT p.published_at FROM content_versions AS p
             WHERE p.entry = e.id AND p.published_at > $3 ORDER BY p.published_at LIMIT 1)
        FROM (
            SELECT id, market, section, position, version, hidden_at FROM content_entries
            WHERE market = $1 AND section = $2 ORDER BY position * $5::bigint, id LIMIT $4
        ) AS e
        JOIN content_versions AS n ON n.entry = e.id AND n.version = e.version
        LEFT JOIN LATERAL (\(ContentSQL.shown)) AS s ON true
        ORDER BY e.position, e.id
        """
    let market: String
    let section: ContentSection
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, section.rawValue, at, ChangeContent.shownEntries, section.isByTime ? -1 : 1)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ContentRow {
        ContentRow(
            id: try row.next(), position: try row.next(), version: try row.next(), text: try row.next(),
            publishedAt: try row.next(), changedBy: try row.next(), changedAt: try row.next(), shown: try row.next(),
            plannedAt: try row.next())
    }
}

/// A section as everybody sees it at a moment.
struct ListPublishedContent: Statement {
    static let sql: SQL = """
        SELECT e.id, s.content, s.published_at
        FROM content_entries AS e JOIN LATERAL (\(ContentSQL.shown)) AS s ON true
        WHERE e.market = $1 AND e.section = $2
        ORDER BY e.position * $5::bigint, e.id LIMIT $4
        """
    let market: String
    let section: ContentSection
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, section.rawValue, at, ChangeContent.shownEntries, section.isByTime ? -1 : 1)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PublishedContentRow {
        PublishedContentRow(id: try row.next(), text: try row.next(), publishedAt: try row.next())
    }
}

/// The versions of an entry, newest first.
struct ListContentVersions: Statement {
    static let sql: SQL = """
        SELECT version, content, published_at, changed_by, changed_at FROM content_versions
        WHERE entry = $1 ORDER BY version DESC LIMIT $2
        """
    let entry: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(entry, ChangeContent.shownVersions) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ContentVersionRow {
        ContentVersionRow(
            version: try row.next(), text: try row.next(), publishedAt: try row.next(), changedBy: try row.next(),
            changedAt: try row.next())
    }
}

struct FindContentVersion: Statement {
    static let sql: SQL = "SELECT content FROM content_versions WHERE entry = $1 AND version = $2"
    let entry: UUID
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(entry, version) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct InsertContentEntry: Statement {
    static let sql: SQL =
        "INSERT INTO content_entries (id, market, section, position, version) VALUES ($1, $2, $3, $4, 1)"
    let id: UUID
    let market: String
    let section: ContentSection
    let position: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id, market, section.rawValue, position) }
}

struct InsertContentVersion: Statement {
    static let sql: SQL = """
        INSERT INTO content_versions (entry, version, content, changed_by, changed_at, image)
        VALUES ($1, $2, $3, $4, $5, $6)
        """
    let entry: UUID
    let version: Int
    let text: String
    let by: UUID?
    let at: Date
    let image: String?

    /// - Parameter by: nil for a text that comes with the program.
    init(_ content: Content, of entry: UUID, version: Int, by: UUID?, at: Date) throws {
        (self.entry, self.version, self.by, self.at) = (entry, version, by, at)
        image = content.image
        text = try JSON.stored.text(content)
    }

    func bind(_ bindings: inout Bindings) { bindings.append(entry, version, text, by, at, image) }
}

struct SetContentVersion: Statement {
    static let sql: SQL = "UPDATE content_entries SET version = $2 WHERE id = $1"
    let entry: UUID
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(entry, version) }
}

struct SetContentPosition: Statement {
    static let sql: SQL = "UPDATE content_entries SET position = $2 WHERE id = $1"
    let entry: UUID
    let position: Int
    func bind(_ bindings: inout Bindings) { bindings.append(entry, position) }
}

/// Takes back what was to be published later, so that a newer word is never followed by an older.
struct UnscheduleContent: Statement {
    static let sql: SQL = """
        UPDATE content_versions SET published_at = NULL, published_by = NULL WHERE entry = $1 AND published_at > $2
        """
    let entry: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(entry, now) }
}

struct PublishContentVersion: Statement {
    static let sql: SQL =
        "UPDATE content_versions SET published_at = $3, published_by = $4 WHERE entry = $1 AND version = $2"
    let entry: UUID
    let version: Int
    let at: Date
    /// Nil for what no person has published.
    let by: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(entry, version, at, by) }
}

/// Deletes an entry with its versions. Where it was imported, the item stays known and does not come again.
struct DeleteContent: Statement {
    static let sql: SQL = """
        WITH parted AS (
            UPDATE content_feed_items SET entry = NULL WHERE entry = $1
        ), versions AS (
            DELETE FROM content_versions WHERE entry = $1
        )
        DELETE FROM content_entries WHERE id = $1
        """
    let entry: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(entry) }
}

/// Hides what was published up to a moment; nil hides nothing.
struct HideContent: Statement {
    static let sql: SQL = "UPDATE content_entries SET hidden_at = $2 WHERE id = $1"
    let entry: UUID
    let until: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(entry, until) }
}
