import Contracts
import Foundation
import Postgres
import SeraiJSON

/// An entry that admins changed or added.
struct CatalogueRow: Sendable {
    let market: String
    /// JSON.
    let text: String
    let version: Int
    let changedBy: UUID
    let changedAt: Date

    /// Nil for an entry that another version of the program wrote and this one does not understand.
    var entry: CatalogueEntry? {
        // try?: what cannot be read is left out, as a setting is.
        try? JSON.stored.decode(CatalogueEntry.self, text.utf8)
    }
}

struct ListCatalogue: Statement {
    static let sql: SQL = """
        SELECT market, entry, version, changed_by, changed_at FROM catalogue_entries
        WHERE $1::text IS NULL OR market = $1
        ORDER BY market, section, id
        """
    /// Nil for all markets.
    let market: String?
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CatalogueRow {
        CatalogueRow(
            market: try row.next(), text: try row.next(), version: try row.next(), changedBy: try row.next(),
            changedAt: try row.next())
    }
}

struct StoreEntry: Statement {
    static let sql: SQL = """
        INSERT INTO catalogue_entries (market, section, id, entry, version, changed_by, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (market, section, id) DO UPDATE
        SET entry = excluded.entry, version = excluded.version, changed_by = excluded.changed_by,
            changed_at = excluded.changed_at
        """
    let market: String
    let entry: CatalogueEntry
    let text: String
    let version: Int
    let by: UUID
    let at: Date

    init(_ entry: CatalogueEntry, in market: String, version: Int, by: UUID, at: Date) throws {
        (self.market, self.entry, self.version, self.by, self.at) = (market, entry, version, by, at)
        text = try JSON.stored.text(entry)
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(market, entry.section.rawValue, entry.id, text, version, by, at)
    }
}

/// The reasons of reports that admins have added or changed, for statements that tell people's own words from slugs.
enum CatalogueReasons {
    static let ids: SQL = "SELECT id FROM catalogue_entries WHERE section = 'report-reasons'"
}

struct StoreImage: Statement {
    static let sql: SQL = """
        INSERT INTO catalogue_images (market, name, media_type, bytes, stored_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (market, name) DO UPDATE SET stored_at = excluded.stored_at
        """
    let market: String
    let image: CatalogueImage
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, image.name, image.mediaType, image.bytes, at)
    }
}

struct FindImage: Statement {
    static let sql: SQL = "SELECT media_type, bytes FROM catalogue_images WHERE market = $1 AND name = $2"
    let market: String
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (mediaType: String, bytes: [UInt8]) {
        (try row.next(), try row.next())
    }
}

/// Lets the time of a picture that goes out of use begin now.
struct KeepImage: Statement {
    static let sql: SQL = "UPDATE catalogue_images SET stored_at = $3 WHERE market = $1 AND name = $2"
    let market: String
    let name: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, name, at) }
}

/// Deletes pictures that no entry and no text names and that nobody who has read the catalogue of before still asks for.
struct DeleteUnusedImages: Statement {
    static let sql: SQL = """
        DELETE FROM catalogue_images AS i WHERE i.market = $1 AND i.stored_at < $2 AND i.name <> ALL ($3::text[])
            AND NOT EXISTS (SELECT FROM content_versions AS v WHERE v.image = i.name)
        """
    let market: String
    let before: Date
    let used: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, used) }
}
