import Foundation
import Postgres

/// Stores a link's or code's hash in place of the previous one. Returns no row, and changes nothing, within the pause
/// after the previous one, or, when the day's limit is used up, within an hour after it. The day's count of wrong codes
/// is kept.
struct PutProof: Statement {
    static let sql: SQL = """
        INSERT INTO proofs (account, purpose, hash, sent_at, expires_at, day_began_at, secret)
        VALUES ($1, $2, $3, $4, $5, $4, $10)
        ON CONFLICT (account, purpose) DO UPDATE SET
            hash = excluded.hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, failures = 0,
            secret = coalesce(excluded.secret, proofs.secret), own_failures = 0,
            own_day_failures = CASE WHEN proofs.day_began_at <= $7 THEN 0 ELSE proofs.own_day_failures END,
            day_began_at = CASE WHEN proofs.day_began_at <= $7 THEN excluded.sent_at ELSE proofs.day_began_at END,
            day_sent = CASE WHEN proofs.day_began_at <= $7 THEN 1 ELSE proofs.day_sent + 1 END,
            day_failures = CASE WHEN proofs.day_began_at <= $7 THEN 0 ELSE proofs.day_failures END
        WHERE proofs.sent_at <= $6
            AND (proofs.day_sent < $8 OR proofs.day_began_at <= $7 OR proofs.sent_at <= $9)
        RETURNING account
        """
    let account: UUID
    let purpose: ProofRule.Purpose
    let hash: [UInt8]
    let now: Date
    let expiresAt: Date
    /// The hash of the registration's secret, which gives its holder tries of its own; nil keeps the stored one.
    var secret: [UInt8]?

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            account, purpose.rawValue, hash, now, expiresAt, now.addingTimeInterval(-ProofRule.pauseSeconds(purpose)),
            now.addingTimeInterval(-ProofRule.daySeconds), Int32(ProofRule.maximumSent(purpose)),
            now.addingTimeInterval(-ProofRule.slowSeconds), secret)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Uses a valid link up and returns its account. Of two requests at once only one gets a row.
struct UseProof: Statement {
    static let sql: SQL = """
        DELETE FROM proofs WHERE hash = $1 AND purpose = ANY ($2::text[]) AND expires_at > $3 RETURNING account
        """
    let hash: [UInt8]
    let purposes: [ProofRule.Purpose]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(hash, purposes.map(\.rawValue), now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Returns the account of a valid link, which stays valid.
struct FindProof: Statement {
    static let sql: SQL = """
        SELECT account FROM proofs WHERE hash = $1 AND purpose = ANY ($2::text[]) AND expires_at > $3
        """
    let hash: [UInt8]
    let purposes: [ProofRule.Purpose]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(hash, purposes.map(\.rawValue), now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Finds the account whose registration was answered with the secret.
struct FindBySecret: Statement {
    static let sql: SQL = "SELECT account FROM proofs WHERE secret = $1 AND purpose = 'confirm'"
    let secret: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(secret) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Counts a try of a code by the person who registered, before the code is compared, and says whether it is right.
struct TryOwnCode: Statement {
    static let sql: SQL = """
        UPDATE proofs SET own_failures = own_failures + 1, own_day_failures = own_day_failures + 1
        WHERE account = $1 AND purpose = 'confirm' AND secret = $6 AND expires_at > $3 AND own_failures < $4
            AND own_day_failures < $5
        RETURNING hash = $2
        """
    let account: UUID
    let hash: [UInt8]
    let now: Date
    let secret: [UInt8]

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            account, hash, now, Int32(ProofRule.maximumFailures), Int32(ProofRule.maximumDayFailures), secret)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Counts a try of a code before the code is compared, and says whether it is right. The try is also counted for the
/// typed name, so at least one row is written whether or not the account and the code exist.
struct TryCode: Statement {
    static let sql: SQL = """
        WITH counted AS (
            INSERT INTO login_failures (subject, failures, last_at) VALUES ($6, 1, $3)
            ON CONFLICT (subject) DO UPDATE SET failures = login_failures.failures + 1, last_at = excluded.last_at)
        UPDATE proofs SET failures = failures + 1, day_failures = day_failures + 1
        WHERE account = $1 AND purpose = 'confirm' AND expires_at > $3 AND failures < $4 AND day_failures < $5
        RETURNING hash = $2
        """
    /// Nil for an unknown name.
    let account: UUID?
    let hash: [UInt8]
    let now: Date
    let maximumFailures: Int
    let maximumDayFailures: Int
    /// A keyed hash of the typed name.
    let subject: [UInt8]

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, hash, now, Int32(maximumFailures), Int32(maximumDayFailures), subject)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Uses up a code that was right. No row when it was already used or replaced by another one.
struct UseCode: Statement {
    static let sql: SQL = """
        DELETE FROM proofs WHERE account = $1 AND purpose = 'confirm' AND hash = $2 AND expires_at > $3
        RETURNING account
        """
    let account: UUID
    let hash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Ends all links and codes of an account. The rows stay, for their counts: otherwise a link in the attacker's own mail
/// would give new tries of the victim's code.
struct ExpireProofs: Statement {
    static let sql: SQL = "UPDATE proofs SET expires_at = least(expires_at, $2) WHERE account = $1"
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

/// Ends pending changes of an address or number, in the same way.
struct ExpireContactChanges: Statement {
    static let sql: SQL = """
        UPDATE contact_changes SET expires_at = least(expires_at, $2) WHERE account = $1
        """
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

struct PurgeProofs: Statement {
    static let sql: SQL = """
        DELETE FROM proofs WHERE (account, purpose) IN (
            SELECT account, purpose FROM proofs WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Deletes registrations that were not confirmed in time.
struct PurgeUnconfirmed: Statement {
    static let sql: SQL = """
        DELETE FROM accounts WHERE id IN (
            SELECT id FROM accounts WHERE confirmed_at IS NULL AND registered_at < $1 LIMIT $2
            FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// The data beside the password on which a login depends.
struct FindStanding: Statement {
    static let sql: SQL = """
        SELECT a.confirmed_at IS NOT NULL, a.confirms_by, p.changed_at, a.mobile IS NULL
        FROM accounts a LEFT JOIN passwords p ON p.account = a.id WHERE a.id = $1
        """
    let account: UUID

    struct Row: Sendable {
        let isConfirmed: Bool
        let confirmsBy: String?
        let passwordChangedAt: Date?
        let lacksMobile: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            isConfirmed: try row.next(), confirmsBy: try row.next(), passwordChangedAt: try row.next(),
            lacksMobile: try row.next())
    }
}

/// Marks the account as confirmed. No row when it already is.
struct ConfirmOwner: Statement {
    static let sql: SQL = """
        UPDATE accounts SET confirmed_at = $2 WHERE id = $1 AND confirmed_at IS NULL RETURNING id
        """
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct PutPassword: Statement {
    static let sql: SQL = """
        INSERT INTO passwords (account, hash, changed_at) VALUES ($1, $2, $3)
        ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at
        """
    let account: UUID
    let hash: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash, now) }
}

struct FindOwnPassword: Statement {
    static let sql: SQL = "SELECT hash FROM passwords WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
