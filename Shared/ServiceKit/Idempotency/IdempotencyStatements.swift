import Foundation
import Postgres

/// Finds a key's row.
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

/// Takes the key's lock if it is free.
///
/// The lock belongs to the transaction: it ends with the commit, the rollback or the connection. Two concurrent
/// transactions do not wait for each other: the second learns that the first is running.
struct LockIdempotencyKey: Statement {
    static let sql: SQL = """
        SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0))
        """
    let row: IdempotencyRow

    func bind(_ bindings: inout Bindings) { bindings.append(row.scope, row.keyHash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Reads whether a request with the key is running, and the key's row, without keeping the lock.
struct LookAtIdempotencyKey: Statement {
    struct Row: Sendable {
        /// Whether the key's lock was free.
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

/// Writes key and answer together, in the transaction of the effect. Replaces an expired row. (The table's `lease` and
/// `lease_until` are unused: the lock shows whether a request with the key is running.)
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

/// Deletes expired keys, up to a limit.
struct PurgeIdempotencyKeys: Statement {
    static let sql: SQL = """
        DELETE FROM idempotency_keys WHERE (scope, key_hash) IN (
            SELECT scope, key_hash FROM idempotency_keys WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}

/// The columns that identify a request in the table.
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
