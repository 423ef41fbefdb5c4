import Foundation
import Postgres

/// Takes the row for one attempt: a new one, one that has expired, or one of the same input whose attempt has died.
struct ClaimIdempotencyKey: Statement {
    static let sql: StaticString = """
        INSERT INTO idempotency_keys (scope, key_hash, fingerprint, lease, lease_until, expires_at)
        VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', now() + $6 * interval '1 second')
        ON CONFLICT (scope, key_hash) DO UPDATE SET
            fingerprint = excluded.fingerprint, lease = excluded.lease, lease_until = excluded.lease_until,
            expires_at = excluded.expires_at, created_at = now(), status = NULL, answer = NULL
        WHERE idempotency_keys.expires_at <= now()
           OR (idempotency_keys.status IS NULL AND idempotency_keys.lease_until <= now()
               AND idempotency_keys.fingerprint = excluded.fingerprint)
        RETURNING true
        """
    let row: IdempotencyRow
    let lease: UUID
    let leaseSeconds: Double
    let lifetimeSeconds: Double

    func bind(_ bindings: inout Bindings) {
        row.bind(&bindings)
        bindings.append(lease)
        bindings.append(leaseSeconds)
        bindings.append(lifetimeSeconds)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// What is known of a key.
struct FindIdempotencyKey: Statement {
    static let sql: StaticString = """
        SELECT fingerprint = $3, answer, greatest(0, extract(epoch FROM lease_until - now()))::float8
        FROM idempotency_keys WHERE scope = $1 AND key_hash = $2 AND expires_at > now()
        """
    let row: IdempotencyRow
    func bind(_ bindings: inout Bindings) { row.bind(&bindings) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> IdempotencyFinding {
        IdempotencyFinding(isSameInput: try row.next(), answer: try row.next(), leaseSeconds: try row.next())
    }
}

/// The same for a transaction that will write the key itself: takes the key's lock, if nobody has it, and looks.
///
/// The lock is of the transaction, so it ends with the commit, the rollback or the connection. Two transactions that
/// meet do not wait for each other: the second is told that the first still runs.
struct LockIdempotencyKey: Statement {
    static let sql: StaticString = """
        SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0))
        """
    let row: IdempotencyRow

    func bind(_ bindings: inout Bindings) {
        bindings.append(row.scope)
        bindings.append(row.keyHash)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Whether a transaction that will write the key itself runs now, and what is known of the key: for who only looks.
struct LookAtIdempotencyKey: Statement {
    struct Row: Sendable {
        /// Nobody has the key's lock.
        let isFree: Bool
        let finding: IdempotencyFinding?
    }

    static let sql: StaticString = """
        SELECT pg_try_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0)), known.is_same, known.answer,
            known.lease_seconds
        FROM (VALUES (1)) AS one (number)
        LEFT JOIN (
            SELECT fingerprint = $3 AS is_same, answer,
                greatest(0, extract(epoch FROM lease_until - now()))::float8 AS lease_seconds
            FROM idempotency_keys WHERE scope = $1 AND key_hash = $2 AND expires_at > now()
        ) AS known ON true
        """
    let row: IdempotencyRow
    func bind(_ bindings: inout Bindings) { row.bind(&bindings) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let isFree: Bool = try row.next()
        let isSameInput: Bool? = try row.next()
        let (answer, leaseSeconds): ([UInt8]?, Double?) = (try row.next(), try row.next())
        return Row(
            isFree: isFree,
            finding: isSameInput.map {
                IdempotencyFinding(isSameInput: $0, answer: answer, leaseSeconds: leaseSeconds)
            })
    }
}

/// Writes the answer of the attempt that holds the lease.
struct FinishIdempotencyKey: Statement {
    static let sql: StaticString = """
        UPDATE idempotency_keys SET status = $4, answer = $5, lease = NULL, lease_until = NULL
        WHERE scope = $1 AND key_hash = $2 AND lease = $3 AND status IS NULL
        """
    let row: IdempotencyRow
    let lease: UUID
    let status: Int16
    let answer: [UInt8]

    func bind(_ bindings: inout Bindings) {
        bindings.append(row.scope)
        bindings.append(row.keyHash)
        bindings.append(lease)
        bindings.append(status)
        bindings.append(answer)
    }
}

/// Gives the key back, so that the request can be tried again.
struct ReleaseIdempotencyKey: Statement {
    static let sql: StaticString = """
        DELETE FROM idempotency_keys WHERE scope = $1 AND key_hash = $2 AND lease = $3 AND status IS NULL
        """
    let row: IdempotencyRow
    let lease: UUID

    func bind(_ bindings: inout Bindings) {
        bindings.append(row.scope)
        bindings.append(row.keyHash)
        bindings.append(lease)
    }
}

/// Writes key and answer together, in the transaction of the effect. Replaces a row that has expired or was given up.
struct RecordIdempotencyKey: Statement {
    static let sql: StaticString = """
        INSERT INTO idempotency_keys (scope, key_hash, fingerprint, status, answer, expires_at)
        VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')
        ON CONFLICT (scope, key_hash) DO UPDATE SET
            fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
            expires_at = excluded.expires_at, created_at = now(), lease = NULL, lease_until = NULL
        """
    let row: IdempotencyRow
    let status: Int16
    let answer: [UInt8]
    let lifetimeSeconds: Double

    func bind(_ bindings: inout Bindings) {
        row.bind(&bindings)
        bindings.append(status)
        bindings.append(answer)
        bindings.append(lifetimeSeconds)
    }
}

/// Removes expired keys, so many at a time.
struct PurgeIdempotencyKeys: Statement {
    static let sql: StaticString = """
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

    func bind(_ bindings: inout Bindings) {
        bindings.append(scope)
        bindings.append(keyHash)
        bindings.append(fingerprint)
    }
}

struct IdempotencyFinding: Sendable, Equatable {
    let isSameInput: Bool
    /// Nil while the request runs.
    let answer: [UInt8]?
    let leaseSeconds: Double?

    /// Whether an attempt of the same input has died without an answer.
    var isGivenUp: Bool { isSameInput && answer == nil && (leaseSeconds ?? 0) <= 0 }
}
