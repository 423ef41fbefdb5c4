import Foundation
import Postgres

/// Stores a change of contact in place of the previous one. Returns no row, and changes nothing, within the pause after
/// the previous one or when the day's limit is used up.
struct PutContactChange: Statement {
    static let sql: SQL = """
        INSERT INTO contact_changes AS old (id, account, kind, value, value_hash, proof, sent_at, expires_at, day_began_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7)
        ON CONFLICT (account, kind) DO UPDATE SET
            id = excluded.id, value = excluded.value, value_hash = excluded.value_hash, proof = excluded.proof,
            sent_at = excluded.sent_at, expires_at = excluded.expires_at, failures = 0,
            day_began_at = CASE WHEN old.day_began_at <= $10 THEN excluded.sent_at ELSE old.day_began_at END,
            day_sent = CASE WHEN old.day_began_at <= $10 THEN 1 ELSE old.day_sent + 1 END,
            day_failures = CASE WHEN old.day_began_at <= $10 THEN 0 ELSE old.day_failures END
        WHERE old.sent_at <= $9 AND (old.day_sent < $11 OR old.day_began_at <= $10)
        RETURNING id
        """
    let id: UUID
    let account: UUID
    let kind: NewContact.Kind
    let value: [UInt8]
    let valueHash: [UInt8]
    let proof: [UInt8]
    let now: Date
    let expiresAt: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            id, account, kind.rawValue, value, valueHash, proof, now, expiresAt,
            now.addingTimeInterval(-ProofRule.resendSeconds), now.addingTimeInterval(-ProofRule.daySeconds),
            Int32(ProofRule.maximumSent(.confirm)))
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Counts a link or code to a number or address, for all accounts together, because the contact may belong to a
/// stranger. No row when the day's limit is used up.
struct CountContactTarget: Statement {
    static let sql: SQL = """
        INSERT INTO contact_targets AS old (value_hash, day_began_at) VALUES ($1, $2)
        ON CONFLICT (value_hash) DO UPDATE SET
            day_began_at = CASE WHEN old.day_began_at <= $3 THEN excluded.day_began_at ELSE old.day_began_at END,
            sent = CASE WHEN old.day_began_at <= $3 THEN 1 ELSE old.sent + 1 END
        WHERE old.sent < $4 OR old.day_began_at <= $3
        RETURNING sent
        """
    let valueHash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            valueHash, now, now.addingTimeInterval(-ProofRule.daySeconds), Int32(ProofRule.maximumSentToOne))
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}

/// A change of contact whose link or code was shown.
struct ProvenContact: Sendable {
    let id: UUID
    let account: UUID
    let value: [UInt8]
    let valueHash: [UInt8]

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        account = try row.next()
        value = try row.next()
        valueHash = try row.next()
    }
}

/// Uses the link or code up: of two requests at once only one gets a row. The row stays, for its counts.
struct UseContactProof: Statement {
    static let sql: SQL = """
        UPDATE contact_changes SET expires_at = $3
        WHERE proof = $1 AND kind = $2 AND expires_at > $3 AND ($4::uuid IS NULL OR account = $4)
        RETURNING id, account, value, value_hash
        """
    let proof: [UInt8]
    let kind: NewContact.Kind
    let now: Date
    /// The account that the code must belong to; nil for a link, which any holder may use.
    let account: UUID?

    func bind(_ bindings: inout Bindings) { bindings.append(proof, kind.rawValue, now, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> ProvenContact { try ProvenContact(&row) }
}

/// Counts a try of a code before the code is compared, and says whether it is right.
struct TryContactCode: Statement {
    static let sql: SQL = """
        UPDATE contact_changes SET failures = failures + 1, day_failures = day_failures + 1
        WHERE account = $1 AND kind = 'mobile' AND expires_at > $3 AND failures < $4 AND day_failures < $5
        RETURNING proof = $2
        """
    let account: UUID
    let proof: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, proof, now, Int32(ProofRule.maximumFailures), Int32(ProofRule.maximumDayFailures))
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// The changes that wait for confirmation.
struct ListContactChanges: Statement {
    static let sql: SQL = """
        SELECT id, kind, value FROM contact_changes WHERE account = $1 AND expires_at > $2 ORDER BY kind
        """
    let account: UUID
    let now: Date

    struct Row: Sendable {
        let id: UUID
        let kind: NewContact.Kind?
        let value: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(id: try row.next(), kind: NewContact.Kind(rawValue: try row.next()), value: try row.next())
    }
}

struct PurgeContactChanges: Statement {
    static let sql: SQL = """
        WITH targets AS (
            DELETE FROM contact_targets WHERE value_hash IN (
                SELECT value_hash FROM contact_targets WHERE day_began_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        )
        DELETE FROM contact_changes WHERE id IN (
            SELECT id FROM contact_changes WHERE expires_at < $1 AND day_began_at < $1 LIMIT $2
            FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Sets the proved address of an account.
struct ReplaceEmail: Statement {
    static let sql: SQL = """
        UPDATE accounts SET email = $2, email_hash = $3, email_proved_at = $4 WHERE id = $1
        """
    let account: UUID
    let sealed: [UInt8]
    let hash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, hash, now) }
}

/// Sets the proved number of an account.
struct ReplaceMobile: Statement {
    static let sql: SQL = """
        UPDATE accounts SET mobile = $2, mobile_hash = $3, mobile_proved_at = $4 WHERE id = $1
        """
    let account: UUID
    let sealed: [UInt8]
    let hash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, hash, now) }
}
