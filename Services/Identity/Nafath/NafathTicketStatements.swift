import Foundation
import Postgres

/// Stores a ticket in place of the account's previous one. The day's counts are kept.
struct PutNafathTicket: Statement {
    static let sql: SQL = """
        INSERT INTO nafath_tickets (account, hash, market, claims, expires_at, day_began_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (account) DO UPDATE SET
            hash = excluded.hash, market = excluded.market, claims = excluded.claims, expires_at = excluded.expires_at,
            code = NULL, code_expires_at = NULL
        """
    let account: UUID
    let hash: [UInt8]
    let market: String
    let claims: [UInt8]
    let expiresAt: Date
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash, market, claims, expiresAt, now) }
}

/// Finds a valid ticket.
struct FindNafathTicket: Statement {
    static let sql: SQL = """
        SELECT account, market, claims FROM nafath_tickets WHERE hash = $1 AND expires_at > $2
        """
    let hash: [UInt8]
    let now: Date

    struct Row: Sendable {
        let account: UUID
        let market: String
        let claims: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(hash, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), market: try row.next(), claims: try row.next())
    }
}

/// Stores a code. No row within the pause after the previous code, or when the day's limit is used up.
struct PutNafathCode: Statement {
    static let sql: SQL = """
        UPDATE nafath_tickets SET
            code = $2, code_sent_at = $3, code_expires_at = $4, failures = 0,
            day_began_at = CASE WHEN day_began_at <= $6 THEN $3 ELSE day_began_at END,
            day_sent = CASE WHEN day_began_at <= $6 THEN 1 ELSE day_sent + 1 END,
            day_failures = CASE WHEN day_began_at <= $6 THEN 0 ELSE day_failures END
        WHERE hash = $1 AND expires_at > $3 AND coalesce(code_sent_at <= $5, true)
            AND (day_sent < $7 OR day_began_at <= $6)
        RETURNING account
        """
    let ticket: [UInt8]
    let code: [UInt8]
    let now: Date
    let expiresAt: Date
    let sentBefore: Date
    let dayBefore: Date
    let maximumSent: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(ticket, code, now, expiresAt, sentBefore, dayBefore, Int32(maximumSent))
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Counts a try of a code before the code is compared, and says whether it is right.
struct TryNafathCode: Statement {
    static let sql: SQL = """
        UPDATE nafath_tickets SET failures = failures + 1, day_failures = day_failures + 1
        WHERE hash = $1 AND code_expires_at > $3 AND failures < $4 AND day_failures < $5
        RETURNING coalesce(code = $2, false)
        """
    let ticket: [UInt8]
    let code: [UInt8]
    let now: Date
    let maximumFailures: Int
    let maximumDayFailures: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(ticket, code, now, Int32(maximumFailures), Int32(maximumDayFailures))
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Deletes the code after a change of number, since it was sent to the old one.
struct ForgetNafathCode: Statement {
    static let sql: SQL = """
        UPDATE nafath_tickets SET code = NULL, code_expires_at = NULL WHERE account = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Uses a ticket up; its row stays for the counts. No row when it was already used or replaced by another one.
struct UseNafathTicket: Statement {
    static let sql: SQL = """
        UPDATE nafath_tickets SET expires_at = $2, code = NULL, code_expires_at = NULL
        WHERE hash = $1 AND expires_at > $2 AND ($3::bytea IS NULL OR code = $3)
        RETURNING account
        """
    let hash: [UInt8]
    let now: Date
    /// The code that was right; nil when the proof was another one.
    let code: [UInt8]?

    func bind(_ bindings: inout Bindings) { bindings.append(hash, now, code) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct PurgeNafathTickets: Statement {
    static let sql: SQL = """
        DELETE FROM nafath_tickets WHERE account IN (
            SELECT account FROM nafath_tickets WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Whether the account is of the kind that its number confirms, and has this number proved.
struct IsConfirmedByNumber: Statement {
    static let sql: SQL = """
        SELECT coalesce(confirms_by = 'sms' AND mobile_proved_at IS NOT NULL AND mobile_hash = $2, false)
        FROM accounts WHERE id = $1
        """
    let account: UUID
    let mobileHash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, mobileHash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
