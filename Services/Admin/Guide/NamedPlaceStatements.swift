import Foundation
import Postgres

/// A place that an admin changed or added.
struct NamedPlaceRow: Sendable {
    let place: NamedPlace
    let version: Int
    let changedBy: UUID
    let changedAt: Date
}

/// The changed places of a market. Nil for a category that another version of the program wrote.
struct ListNamedPlaces: Statement {
    static let sql: SQL = """
        SELECT id, city, category, english, arabic, latitude, longitude, is_active, version, changed_by, changed_at
        FROM named_places WHERE market = $1 ORDER BY id
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> NamedPlaceRow? {
        let (id, city, word) = (try row.next(String.self), try row.next(String.self), try row.next(String.self))
        let (english, arabic) = (try row.next(String.self), try row.next(String.self))
        let (latitude, longitude) = (try row.next(Double.self), try row.next(Double.self))
        let (isActive, version) = (try row.next(Bool.self), try row.next(Int.self))
        let (by, at) = (try row.next(UUID.self), try row.next(Date.self))
        guard let category = NamedPlace.Category(rawValue: word) else { return nil }
        return NamedPlaceRow(
            place: NamedPlace(
                id: id, city: city, category: category, english: english, arabic: arabic, latitude: latitude,
                longitude: longitude, isActive: isActive),
            version: version, changedBy: by, changedAt: at)
    }
}

/// How often a market's places were changed; no row before the first change.
struct FindPlaceRevision: Statement {
    static let sql: SQL = "SELECT revision FROM named_place_revisions WHERE market = $1"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Begins a change: locks the market's places until the commit and counts it.
struct NextPlaceRevision: Statement {
    static let sql: SQL = """
        INSERT INTO named_place_revisions AS kept (market, revision) VALUES ($1, 1)
        ON CONFLICT (market) DO UPDATE SET revision = kept.revision + 1 RETURNING revision
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct StoreNamedPlace: Statement {
    static let sql: SQL = """
        INSERT INTO named_places (
            market, id, city, category, english, arabic, latitude, longitude, is_active, version, changed_by, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (market, id) DO UPDATE
        SET city = excluded.city, category = excluded.category, english = excluded.english, arabic = excluded.arabic,
            latitude = excluded.latitude, longitude = excluded.longitude, is_active = excluded.is_active,
            version = excluded.version, changed_by = excluded.changed_by, changed_at = excluded.changed_at
        """
    let market: String
    let row: NamedPlaceRow
    func bind(_ bindings: inout Bindings) {
        let place = row.place
        bindings.append(market, place.id, place.city, place.category.rawValue, place.english, place.arabic)
        bindings.append(place.latitude, place.longitude, place.isActive, row.version, row.changedBy, row.changedAt)
    }
}
