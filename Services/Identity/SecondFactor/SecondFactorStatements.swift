import Foundation
import Postgres

struct FindSecondFactor: Statement {
    static let sql: SQL = """
        SELECT sealed, enrolled_at, confirmed_at, last_step,
            (SELECT count(*) FROM recovery_codes c WHERE c.account = f.account)
        FROM second_factors f WHERE account = $1
        """
    let account: UUID

    struct Row: Sendable {
        let sealed: [UInt8]
        let enrolledAt: Date
        /// Nil until the owner has entered a first code; the factor is not in force before.
        let confirmedAt: Date?
        let lastStep: Int64?
        let recoveryCodes: Int
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            sealed: try row.next(), enrolledAt: try row.next(), confirmedAt: try row.next(), lastStep: try row.next(),
            recoveryCodes: try row.next())
    }
}

/// Stores a secret. Changes no row when a confirmed one exists.
struct PutSecondFactor: Statement {
    static let sql: SQL = """
        INSERT INTO second_factors AS old (account, sealed, enrolled_at) VALUES ($1, $2, $3)
        ON CONFLICT (account) DO UPDATE SET sealed = excluded.sealed, enrolled_at = excluded.enrolled_at, last_step = NULL
        WHERE old.confirmed_at IS NULL
        """
    let account: UUID
    let sealed: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, now) }
}

struct ConfirmSecondFactor: Statement {
    static let sql: SQL = """
        UPDATE second_factors SET confirmed_at = $3, last_step = $4
        WHERE account = $1 AND sealed = $2 AND confirmed_at IS NULL
        """
    let account: UUID
    /// The secret that was checked.
    let sealed: [UInt8]
    let now: Date
    let step: Int64

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, now, step) }
}

/// Uses a step's code up: of two requests at once only one succeeds, and earlier steps are refused.
struct UseStep: Statement {
    static let sql: SQL = """
        UPDATE second_factors SET last_step = $2
        WHERE account = $1 AND confirmed_at IS NOT NULL AND (last_step IS NULL OR last_step < $2)
        """
    let account: UUID
    let step: Int64

    func bind(_ bindings: inout Bindings) { bindings.append(account, step) }
}

struct DeleteSecondFactor: Statement {
    static let sql: SQL = "DELETE FROM second_factors WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct InsertRecoveryCodes: Statement {
    static let sql: SQL = "INSERT INTO recovery_codes (account, hash) SELECT $1, unnest($2::bytea[])"
    let account: UUID
    let hashes: [[UInt8]]

    func bind(_ bindings: inout Bindings) { bindings.append(account, hashes) }
}

struct DeleteRecoveryCodes: Statement {
    static let sql: SQL = "DELETE FROM recovery_codes WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct FindRecoveryCode: Statement {
    static let sql: SQL = "SELECT true FROM recovery_codes WHERE account = $1 AND hash = $2"
    let account: UUID
    let hash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct UseRecoveryCode: Statement {
    static let sql: SQL = "DELETE FROM recovery_codes WHERE account = $1 AND hash = $2"
    let account: UUID
    let hash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, hash) }
}

/// Marks one or all running sessions as begun with more than a password, or not.
struct SetStrong: Statement {
    static let sql: SQL = """
        UPDATE sessions SET strong = $3 WHERE account = $1 AND ended_at IS NULL AND ($2::uuid IS NULL OR id = $2)
        """
    let account: UUID
    /// Nil for all sessions.
    let session: UUID?
    let isStrong: Bool

    func bind(_ bindings: inout Bindings) { bindings.append(account, session, isStrong) }
}
