import Foundation
import Postgres

/// Keeps the bans of a deleted account that hold, under keyed hashes: of the contacts that its owner proved, of the
/// national id, and of unproved contacts where nothing confirms an account. Nothing is kept of a contact that may
/// belong to another person.
struct InsertKeptBans: Statement {
    static let sql: SQL = """
        INSERT INTO banned_hashes (account, market, kind, hash, reason, until, by_master, banned_at, banned_by)
        SELECT b.account, b.market, known.kind, known.hash, b.reason, b.until, b.by_master, b.banned_at, b.banned_by
        FROM bans b JOIN (
            SELECT id AS account, 'email' AS kind, email_hash AS hash FROM accounts
                WHERE id = $1 AND email_hash IS NOT NULL AND (email_proved_at IS NOT NULL OR confirms_by IS NULL)
            UNION ALL SELECT id, 'mobile', mobile_hash FROM accounts
                WHERE id = $1 AND mobile_hash IS NOT NULL AND (mobile_proved_at IS NOT NULL OR confirms_by IS NULL)
            UNION ALL SELECT account, 'national-id', hash FROM national_ids WHERE account = $1
        ) AS known ON known.account = b.account
        WHERE b.account = $1 AND (b.until IS NULL OR b.until > $2)
        ON CONFLICT DO NOTHING
        """
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

/// The contacts of a registration, `email` or `mobile`, that belonged to a deleted account with a ban in the market.
struct FindBannedContacts: Statement {
    static let sql: SQL = """
        SELECT kind FROM banned_hashes
        WHERE (kind = 'email' AND hash = $1 OR kind = 'mobile' AND hash = $2) AND market IN ($3, '*')
            AND (until IS NULL OR until > $4)
        """
    let emailHash: [UInt8]
    let mobileHash: [UInt8]
    let market: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(emailHash, mobileHash, market, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// The kept ban that applies to an account: found by its proved contacts, by its national id, and by unproved contacts
/// where nothing confirmed the account, as ``InsertKeptBans`` keeps them.
struct FindKeptBan: Statement {
    static let sql: SQL = """
        SELECT market, reason, until FROM banned_hashes
        WHERE market IN ($2, '*') AND (until IS NULL OR until > $3) AND hash IN (
            SELECT email_hash FROM accounts WHERE id = $1 AND (email_proved_at IS NOT NULL OR confirms_by IS NULL)
            UNION ALL SELECT mobile_hash FROM accounts
                WHERE id = $1 AND (mobile_proved_at IS NOT NULL OR confirms_by IS NULL)
            UNION ALL SELECT hash FROM national_ids WHERE account = $1)
        ORDER BY market = '*' DESC LIMIT 1
        """
    let account: UUID
    let market: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Ban {
        Ban(market: try row.next(), reason: try row.next(), until: try row.next())
    }
}

/// Whether a contact belonged to a deleted account that is banned in a market where this account has a role.
struct IsBannedContact: Statement {
    static let sql: SQL = """
        SELECT EXISTS (
            SELECT FROM banned_hashes WHERE kind = $2 AND hash = $3 AND (until IS NULL OR until > $4)
                AND (market = '*' OR market IN (SELECT market FROM roles WHERE account = $1)))
        """
    let account: UUID
    let contact: ContactHash
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, contact.kind.rawValue, contact.hash, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// The kept ban of a person named by Nafath: found by the national id, or by the number when the deleted account had no
/// national id.
struct FindKeptBanOfPerson: Statement {
    static let sql: SQL = """
        SELECT market, reason, until FROM banned_hashes b
        WHERE market IN ($3, '*') AND (until IS NULL OR until > $4)
            AND (kind = 'national-id' AND hash = $1
                OR kind = 'mobile' AND hash = $2
                    AND NOT EXISTS (SELECT FROM banned_hashes WHERE account = b.account AND kind = 'national-id'))
        ORDER BY market = '*' DESC LIMIT 1
        """
    let nationalID: [UInt8]
    let mobile: [UInt8]
    let market: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(nationalID, mobile, market, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Ban {
        Ban(market: try row.next(), reason: try row.next(), until: try row.next())
    }
}

/// Locks the kept ban of a deleted account and says whether a master admin set it.
struct LockKeptBan: Statement {
    static let sql: SQL =
        "SELECT by_master FROM banned_hashes WHERE account = $1 AND market = $2 ORDER BY kind FOR UPDATE"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct DeleteKeptBan: Statement {
    static let sql: SQL = "DELETE FROM banned_hashes WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// Deletes kept bans that have ended.
struct PurgeKeptBans: Statement {
    static let sql: SQL = """
        DELETE FROM banned_hashes WHERE (account, market, kind) IN (
            SELECT account, market, kind FROM banned_hashes WHERE until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
