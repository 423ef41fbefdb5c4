import Foundation
import Postgres

/// What is known of a key.
struct FindIdempotencyKey: Statement {
    static let sql: SQL = """
        SELECT fingerprint = $3, answer FROM idempotency_keys
        WHERE scope = $1 AND key_hash = $2 AND expires_at > now()
        """
    let row: IdempotencyRow
    func bind(_ bindings: inout Bindings) { row.bind(&bindings) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> IdempotencyFinding {
        IdempotencyFinding(isSameInput: try row.next(), answer: try row.next())
    }
}

/// Takes the key's lock, if nobody has it.
///
/// The lock is of the transaction, so it ends with the commit, the rollback or the connection. Two transactions that
/// meet do not wait for each other: the second is told that the first still runs.
struct LockIdempotencyKey: Statement {
    static let sql: SQL = """
        SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0))
        """
    let row: IdempotencyRow

    func bind(_ bindings: inout Bindings) { bindings.append(row.scope, row.keyHash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Whether a request with the key runs now, and what is known of the key: for who only looks.
struct LookAtIdempotencyKey: Statement {
    struct Row: Sendable {
        /// Nobody has the key's lock.
        let isFree: Bool
        let finding: IdempotencyFinding?
    }

    static let sql: SQL = """
        SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0)), known.is_same, known.answer
        FROM (VALUES (1)) AS one (number)
        LEFT JOIN (
            SELECT fingerprint = $3 AS is_same, answer FROM idempotency_keys
            WHERE scope = $1 AND key_hash = $2 AND expires_at > now()
        ) AS known ON true
        """
    let row: IdempotencyRow
    func bind(_ bindings: inout Bindings) { row.bind(&bindings) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (isFree, isSameInput): (Bool, Bool?) = (try row.next(), try row.next())
        let answer: [UInt8]? = try row.next()
        guard let isSameInput, let answer else { return Row(isFree: isFree, finding: nil) }
        return Row(isFree: isFree, finding: IdempotencyFinding(isSameInput: isSameInput, answer: answer))
    }
}

/// Writes key and answer together, in the transaction of the effect. Replaces a row that has expired. (Nobody fills the
/// table's `lease` and `lease_until`: a key whose request runs is told by its lock.)
struct RecordIdempotencyKey: Statement {
    static let sql: SQL = """
        INSERT INTO idempotency_keys (scope, key_hash, fingerprint, status, answer, expires_at)
        VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')
        ON CONFLICT (scope, key_hash) DO UPDATE SET
            fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
            expires_at = excluded.expires_at, created_at = now()
        """
    let row: IdempotencyRow
    let status: Int16
    let answer: [UInt8]
    let lifetimeSeconds: Double

    func bind(_ bindings: inout Bindings) {
        row.bind(&bindings)
        bindings.append(status, answer, lifetimeSeconds)
    }
}

/// Removes expired keys, so many at a time.
struct PurgeIdempotencyKeys: Statement {
    static let sql: SQL = """
        DELETE FROM idempotency_keys WHERE (scope, key_hash) IN (
            SELECT scope, key_hash FROM idempotency_keys WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}

/// What identifies a request in the table.
struct IdempotencyRow: Sendable, Equatable {
    let scope: String
    let keyHash: [UInt8]
    let fingerprint: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(scope, keyHash, fingerprint) }
}

struct IdempotencyFinding: Sendable, Equatable {
    let isSameInput: Bool
    /// Sealed.
    let answer: [UInt8]
}
