import Foundation
import Postgres

/// The friends of `$account`, on either side of the link.
private let friends: SQL = """
    SELECT to_account AS friend FROM links WHERE from_account = m.account AND kind = 'friend' AND state = 'confirmed'
    UNION ALL
    SELECT from_account FROM links WHERE to_account = m.account AND kind = 'friend' AND state = 'confirmed'
    """

/// Somebody's friends, to whom a place is shown or no more.
struct PlaceReaders: Sendable {
    let account: UUID
    let friends: [UUID]
    /// Nil when it is hidden.
    let expiresAt: Date?
}

/// Moves the places of people who share one now, and tells who may see them. Who shares none, or shows it to nobody, has
/// no row, and an older place than the kept one has none. The rows are locked in one order, because another process may
/// move the same ones.
struct MovePlaces: Statement {
    static let sql: SQL = """
        WITH told AS (SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[]) AS t (account, place, at)),
        locked AS (
            SELECT account FROM shared_places WHERE account = ANY($1) AND expires_at > $4
            ORDER BY account FOR NO KEY UPDATE),
        m AS (
            UPDATE shared_places p SET place = told.place, shared_at = told.at
            FROM told JOIN locked USING (account) WHERE p.account = told.account AND told.at >= p.shared_at
            RETURNING p.account, p.expires_at, p.is_visible)
        SELECT m.account, array_agg(f.friend), m.expires_at FROM m JOIN LATERAL (\(friends)) f ON true
        WHERE m.is_visible GROUP BY m.account, m.expires_at
        """
    let accounts: [UUID]
    let places: [[UInt8]]
    let times: [Date]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(accounts, places, times, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlaceReaders {
        PlaceReaders(account: try row.next(), friends: try row.next(), expiresAt: try row.next())
    }
}

/// Those to whom the places of some people are shown no more.
struct FindPlaceReaders: Statement {
    static let sql: SQL = """
        SELECT m.account, array_agg(f.friend) FROM unnest($1::uuid[]) AS m (account)
        JOIN LATERAL (\(friends)) f ON true GROUP BY m.account
        """
    let accounts: [UUID]

    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlaceReaders {
        PlaceReaders(account: try row.next(), friends: try row.next(), expiresAt: nil)
    }
}
