import Foundation
import Postgres

/// Inserts a photo, unless its owner has the maximum number.
struct InsertPhoto: Statement {
    static let sql: SQL = """
        INSERT INTO photos (id, owner, media_type, bytes, made_at, used_at)
        SELECT $1, $2, $3, $4, $5, $5 WHERE (SELECT count(*) FROM photos WHERE owner = $2) < $6
        """
    let photo: UploadPhoto.Prepared
    let owner: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(photo.id, owner, photo.mediaType, photo.bytes, now, UploadPhoto.maximumOfOwner)
    }
}

/// Updates the row of a photo that is being put on something, so that a concurrent deletion pass sees that it is used.
struct TouchPhoto: Statement {
    static let sql: SQL = "UPDATE photos SET used_at = $3 WHERE id = $1 AND owner = $2"
    let photo: UUID
    let owner: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(photo, owner, now) }
}

/// Finds a photo's owner, and whether a menu uses the photo.
struct FindPhoto: Statement {
    static let sql: SQL = """
        SELECT owner, EXISTS (SELECT FROM menu_items WHERE picture = photos.id)
            OR EXISTS (SELECT FROM restaurants WHERE picture = photos.id)
        FROM photos WHERE id = $1
        """
    let photo: UUID

    struct Row: Sendable {
        let owner: UUID
        let isOnMenu: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(photo) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(owner: try row.next(), isOnMenu: try row.next())
    }
}

/// Lists the parcel orders that use a photo, newest first.
struct ListParcelsOfPhoto: Statement {
    static let sql: SQL = """
        SELECT id FROM orders WHERE particulars #>> '{parcel,photo}' = upper($1::text) ORDER BY id DESC LIMIT $2
        """
    let photo: UUID
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(photo, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct ReadPhoto: Statement {
    static let sql: SQL = "SELECT media_type, bytes FROM photos WHERE id = $1"
    let photo: UUID

    struct Row: Sendable {
        let mediaType: String
        let bytes: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(photo) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(mediaType: try row.next(), bytes: try row.next())
    }
}

/// Deletes photos that nothing uses and that were not put on anything since a moment. A photo that is being used at
/// this moment is either locked, and skipped, or its updated row no longer matches.
struct DeleteUnusedPhotos: Statement {
    static let sql: SQL = """
        WITH unused AS (
            SELECT id FROM photos WHERE used_at < $1
                AND NOT EXISTS (SELECT FROM menu_items WHERE picture = photos.id)
                AND NOT EXISTS (SELECT FROM restaurants WHERE picture = photos.id)
                AND NOT EXISTS (SELECT FROM series WHERE parcel ->> 'photo' = upper(photos.id::text))
                AND NOT EXISTS (SELECT FROM orders WHERE particulars #>> '{parcel,photo}' = upper(photos.id::text))
            ORDER BY used_at LIMIT $2 FOR UPDATE OF photos SKIP LOCKED
        )
        DELETE FROM photos USING unused WHERE photos.id = unused.id
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

struct DeletePhotos: Statement {
    static let sql: SQL = "DELETE FROM photos WHERE owner = $1"
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(owner) }
}

/// Whether an account has a restaurant in one of these markets.
struct HasRestaurant: Statement {
    static let sql: SQL = """
        SELECT EXISTS (SELECT FROM restaurants WHERE market = ANY ($1::text[]) AND owner = $2)
        """
    let markets: [String]
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(markets, owner) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Finds the picture of a dish; no row if the dish does not exist.
struct FindPicture: Statement {
    static let sql: SQL = "SELECT picture FROM menu_items WHERE id = $1 AND restaurant = $2"
    let item: UUID
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(item, restaurant) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID? { try row.next() }
}
