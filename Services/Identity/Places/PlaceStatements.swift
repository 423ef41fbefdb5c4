import Foundation
import Postgres

struct InsertPlace: Statement {
    static let sql: SQL = """
        INSERT INTO saved_places (id, account, market, version, sealed, created_at, changed_at)
        VALUES ($1, $2, $3, 1, $4, $5, $5)
        """
    let id: UUID
    let account: UUID
    let market: String
    let sealed: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(id, account, market, sealed, now) }
}

struct CountPlaces: Statement {
    static let sql: SQL = "SELECT count(*) FROM saved_places WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// A place as stored in its row.
struct PlaceRow: Sendable {
    let id: UUID
    let market: String
    let version: Int
    let sealed: [UInt8]
    let createdAt: Date
    let changedAt: Date

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        version = try row.next()
        sealed = try row.next()
        createdAt = try row.next()
        changedAt = try row.next()
    }
}

/// An account's places in the order of their creation.
struct ListPlaces: Statement {
    static let sql: SQL = """
        SELECT id, market, version, sealed, created_at, changed_at FROM saved_places
        WHERE account = $1 AND market = $2 AND id > $3 ORDER BY id LIMIT $4
        """
    let account: UUID
    let market: String
    let after: UUID
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, after, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlaceRow { try PlaceRow(&row) }
}

struct FindPlace: Statement {
    static let sql: SQL = """
        SELECT id, market, version, sealed, created_at, changed_at FROM saved_places WHERE id = $1 AND account = $2
        """
    let place: UUID
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(place, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlaceRow { try PlaceRow(&row) }
}

struct LockPlace: Statement {
    static let sql: SQL = """
        SELECT id, market, version, sealed, created_at, changed_at FROM saved_places WHERE id = $1 AND account = $2
        FOR UPDATE
        """
    let place: UUID
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(place, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlaceRow { try PlaceRow(&row) }
}

struct UpdatePlace: Statement {
    static let sql: SQL = """
        UPDATE saved_places SET version = version + 1, sealed = $2, changed_at = $3 WHERE id = $1
        """
    let place: UUID
    let sealed: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(place, sealed, now) }
}

struct DeletePlace: Statement {
    static let sql: SQL = "DELETE FROM saved_places WHERE id = $1"
    let place: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(place) }
}
