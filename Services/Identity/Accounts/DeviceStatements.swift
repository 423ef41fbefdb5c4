import Foundation
import Postgres

/// Stores the device of a login and says whether to tell the owner: true for a new device that is not the account's
/// first. The caller has locked the account.
struct PutDevice: Statement {
    static let sql: SQL = """
        WITH known AS (SELECT count(*) AS count FROM devices WHERE account = $1), put AS (
            INSERT INTO devices (account, hash, last_at) VALUES ($1, $2, $3)
            ON CONFLICT (account, hash) DO UPDATE SET last_at = excluded.last_at
            RETURNING xmax = 0 AS is_new)
        SELECT put.is_new AND known.count > 0 FROM put, known
        """
    let account: UUID
    let hash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct DeleteSurplusDevices: Statement {
    static let sql: SQL = """
        DELETE FROM devices WHERE account = $1 AND hash IN (
            SELECT hash FROM devices WHERE account = $1 ORDER BY last_at DESC OFFSET $2)
        """
    let account: UUID
    let kept: Int

    func bind(_ bindings: inout Bindings) { bindings.append(account, kept) }
}

struct PurgeDevices: Statement {
    static let sql: SQL = """
        DELETE FROM devices WHERE (account, hash) IN (
            SELECT account, hash FROM devices WHERE last_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
