import Foundation
import Postgres

struct InsertNafathAttempt: Statement {
    static let sql: SQL = """
        INSERT INTO nafath_attempts (state, secret, market, account, expires_at) VALUES ($1, $2, $3, $4, $5)
        """
    let state: [UInt8]
    let secret: [UInt8]
    let market: String
    let account: UUID?
    let expiresAt: Date

    func bind(_ bindings: inout Bindings) { bindings.append(state, secret, market, account, expiresAt) }
}

/// Uses an attempt up before its code is redeemed: of two requests at once only one gets a row. No row for another
/// app's secret, another account, or an attempt that was used or has expired.
struct UseNafathAttempt: Statement {
    static let sql: SQL = """
        UPDATE nafath_attempts SET used_at = $4
        WHERE state = $1 AND secret = $2 AND account IS NOT DISTINCT FROM $3 AND expires_at > $4 AND used_at IS NULL
        RETURNING market
        """
    let state: [UInt8]
    let secret: [UInt8]
    let account: UUID?
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(state, secret, account, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// A row when this app has used this attempt, so that it may ask for the answer again.
struct FindUsedNafathAttempt: Statement {
    static let sql: SQL = """
        SELECT market FROM nafath_attempts
        WHERE state = $1 AND secret = $2 AND account IS NOT DISTINCT FROM $3 AND used_at IS NOT NULL
        """
    let state: [UInt8]
    let secret: [UInt8]
    let account: UUID?

    func bind(_ bindings: inout Bindings) { bindings.append(state, secret, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct PurgeNafathAttempts: Statement {
    static let sql: SQL = """
        DELETE FROM nafath_attempts WHERE state IN (
            SELECT state FROM nafath_attempts WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
