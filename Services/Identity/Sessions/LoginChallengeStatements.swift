import Foundation
import Postgres

struct InsertLoginChallenge: Statement {
    static let sql: SQL = """
        INSERT INTO login_challenges (hash, account, made_at, expires_at) VALUES ($1, $2, $3, $4)
        """
    let hash: [UInt8]
    let account: UUID
    let now: Date
    let expiresAt: Date

    func bind(_ bindings: inout Bindings) { bindings.append(hash, account, now, expiresAt) }
}

/// Deletes all challenges but the newest ones.
struct DeleteSurplusChallenges: Statement {
    static let sql: SQL = """
        DELETE FROM login_challenges WHERE hash IN (
            SELECT hash FROM login_challenges WHERE account = $1 ORDER BY made_at DESC OFFSET $2)
        """
    let account: UUID
    let kept: Int

    func bind(_ bindings: inout Bindings) { bindings.append(account, kept) }
}

/// Counts a try before the code is compared, and returns the challenge's account.
struct TryLoginChallenge: Statement {
    static let sql: SQL = """
        UPDATE login_challenges SET tries = tries + 1 WHERE hash = $1 AND expires_at > $2 AND tries < $3
        RETURNING account
        """
    let hash: [UInt8]
    let now: Date
    let maximumTries: Int

    func bind(_ bindings: inout Bindings) { bindings.append(hash, now, Int32(maximumTries)) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Uses a challenge up: of two requests at once only one succeeds.
struct UseLoginChallenge: Statement {
    static let sql: SQL = "DELETE FROM login_challenges WHERE hash = $1 AND expires_at > $2"
    let hash: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(hash, now) }
}

/// Deletes the challenges that an old password began.
struct DeleteLoginChallenges: Statement {
    static let sql: SQL = "DELETE FROM login_challenges WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct PurgeLoginChallenges: Statement {
    static let sql: SQL = """
        DELETE FROM login_challenges WHERE hash IN (
            SELECT hash FROM login_challenges WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
