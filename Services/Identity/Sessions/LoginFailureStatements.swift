import Foundation
import Postgres

/// Locks a subject's counts until the commit; inserts a row without failures when there is none.
struct LockLoginFailures: Statement {
    static let sql: SQL = """
        INSERT INTO login_failures (subject, failures, last_at) VALUES ($1, 0, $2)
        ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject
        RETURNING failures, last_at, blocked_until
        """
    let subject: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(subject, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> LoginThrottle.Failures {
        LoginThrottle.Failures(count: try row.next(), lastAt: try row.next(), blockedUntil: try row.next())
    }
}

struct FindLoginFailures: Statement {
    static let sql: SQL = "SELECT failures, last_at, blocked_until FROM login_failures WHERE subject = $1"
    let subject: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> LoginThrottle.Failures {
        LoginThrottle.Failures(count: try row.next(), lastAt: try row.next(), blockedUntil: try row.next())
    }
}

struct StoreLoginFailures: Statement {
    static let sql: SQL = """
        UPDATE login_failures SET failures = $2, last_at = $3, blocked_until = $4 WHERE subject = $1
        """
    let subject: [UInt8]
    let failures: LoginThrottle.Failures

    func bind(_ bindings: inout Bindings) {
        bindings.append(subject, Int32(failures.count), failures.lastAt, failures.blockedUntil)
    }
}

/// Records that the owner was told. Changes no row when this happened within the interval.
struct RecordTold: Statement {
    static let sql: SQL = """
        UPDATE login_failures SET told_at = $2 WHERE subject = $1 AND coalesce(told_at <= $3, true)
        """
    let subject: [UInt8]
    let now: Date
    let before: Date

    func bind(_ bindings: inout Bindings) { bindings.append(subject, now, before) }
}

/// Forgets a subject's failures after a success.
struct ClearLoginFailures: Statement {
    static let sql: SQL = "DELETE FROM login_failures WHERE subject = $1"
    let subject: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }
}

struct PurgeLoginFailures: Statement {
    static let sql: SQL = """
        DELETE FROM login_failures WHERE subject IN (
            SELECT subject FROM login_failures WHERE last_at < $1 AND coalesce(blocked_until, $1) <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
