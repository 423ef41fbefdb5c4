import Foundation
import Postgres

/// A device as its owner sees it.
struct Device: Sendable {
    /// The oldest gives way to a further one.
    static let maximum = 10

    let id: UUID
    let kind: String
    let market: String
    let session: UUID
    let createdAt: Date
    let seenAt: Date

    static let columns: SQL = "id, kind, market, session, created_at, seen_at"

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        kind = try row.next()
        market = try row.next()
        session = try row.next()
        createdAt = try row.next()
        seenAt = try row.next()
    }
}

/// Takes a browser or a phone from whoever had it before under another id.
struct TakeDevice: Statement {
    static let sql: SQL = "DELETE FROM devices WHERE fingerprint = $1 AND (account, id) <> ($2, $3)"
    let fingerprint: String
    let account: UUID
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(fingerprint, account, id) }
}

/// Registers a device, or changes it as a whole; nothing for an account that is deleted, and for a session that has
/// ended. Exact under ``LockOwnRows``, as the maximum is.
struct StoreDevice: Statement {
    static let sql: SQL = """
        INSERT INTO devices AS device
            (account, id, session, market, kind, host, fingerprint, sealed, created_at, seen_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9
        WHERE NOT EXISTS (SELECT FROM streams WHERE account = $1 AND is_gone)
            AND NOT EXISTS (SELECT FROM ended_sessions WHERE session = $3)
        ON CONFLICT (account, id) DO UPDATE SET session = EXCLUDED.session, market = EXCLUDED.market,
            kind = EXCLUDED.kind, host = EXCLUDED.host, fingerprint = EXCLUDED.fingerprint, sealed = EXCLUDED.sealed,
            seen_at = EXCLUDED.seen_at
        RETURNING \(Device.columns)
        """
    let account: UUID
    let id: UUID
    let session: UUID
    let market: String
    let kind: String
    let host: String
    let fingerprint: String
    let sealed: String
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, id, session, market, kind, host, fingerprint, sealed, now)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Device { try Device(&row) }
}

/// Deletes an account's devices beyond the maximum, those first that were registered longest ago.
struct DeleteOldestDevices: Statement {
    static let sql: SQL = """
        DELETE FROM devices WHERE account = $1 AND id IN (
            SELECT id FROM devices WHERE account = $1 ORDER BY seen_at DESC, id OFFSET $2)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account, Device.maximum) }
}

struct ListDevices: Statement {
    static let sql: SQL = "SELECT \(Device.columns) FROM devices WHERE account = $1 ORDER BY seen_at DESC, id"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Device { try Device(&row) }
}

/// Deletes a device with what waits for it.
struct DeleteDevice: Statement {
    static let sql: SQL = "DELETE FROM devices WHERE account = $1 AND id = $2"
    let account: UUID
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account, id) }
}

/// Deletes a device that its service does not know any more, unless it was registered again meanwhile.
struct DeleteGoneDevice: Statement {
    static let sql: SQL = "DELETE FROM devices WHERE account = $1 AND id = $2 AND sealed = $3"
    let account: UUID
    let id: UUID
    let sealed: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, id, sealed) }
}

struct DeleteDevicesOfSessions: Statement {
    static let sql: SQL = "DELETE FROM devices WHERE session = ANY ($1)"
    let sessions: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(sessions) }
}

struct DeleteDevicesOfAccount: Statement {
    static let sql: SQL = "DELETE FROM devices WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes the devices of a banned account, of a market or of all (`*`).
struct DeleteDevicesOfBanned: Statement {
    static let sql: SQL = "DELETE FROM devices WHERE account = $1 AND $2 IN (market, '*')"
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}
