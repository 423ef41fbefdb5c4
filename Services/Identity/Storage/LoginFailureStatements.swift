import Foundation
import Postgres

/// Makes sure that there are rows to lock.
struct BeginLoginFailures: Statement {
    static let sql: StaticString = """
        INSERT INTO login_failures (subject, failures, last_at)
        SELECT subject, 0, $2 FROM unnest($1::bytea[]) AS subject ORDER BY subject
        ON CONFLICT (subject) DO NOTHING
        """
    let subjects: [[UInt8]]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(subjects)
        bindings.append(now)
    }
}

/// Always in one order, so that two logins cannot wait for each other.
struct LockLoginFailures: Statement {
    static let sql: StaticString = """
        SELECT subject, failures, last_at, blocked_until FROM login_failures
        WHERE subject = ANY ($1) ORDER BY subject FOR UPDATE
        """
    let subjects: [[UInt8]]

    struct Row: Sendable {
        let subject: [UInt8]
        let failures: LoginThrottle.Failures
    }

    func bind(_ bindings: inout Bindings) { bindings.append(subjects) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            subject: try row.next(),
            failures: LoginThrottle.Failures(
                count: try row.next(), lastAt: try row.next(), blockedUntil: try row.next()))
    }
}

struct StoreLoginFailures: Statement {
    static let sql: StaticString = """
        UPDATE login_failures SET failures = $2, last_at = $3, blocked_until = $4 WHERE subject = $1
        """
    let subject: [UInt8]
    let failures: LoginThrottle.Failures

    func bind(_ bindings: inout Bindings) {
        bindings.append(subject)
        bindings.append(Int32(failures.count))
        bindings.append(failures.lastAt)
        bindings.append(failures.blockedUntil)
    }
}

/// The right password: the account's failures are forgotten.
struct ClearLoginFailures: Statement {
    static let sql: StaticString = "DELETE FROM login_failures WHERE subject = $1"
    let subject: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }
}

/// Takes back the one that was counted in advance. What others at the same address did stays.
struct ForgiveLoginFailure: Statement {
    static let sql: StaticString = """
        UPDATE login_failures SET failures = greatest(failures - 1, 0) WHERE subject = ANY ($1)
        """
    let subjects: [[UInt8]]
    func bind(_ bindings: inout Bindings) { bindings.append(subjects) }
}

struct PurgeLoginFailures: Statement {
    static let sql: StaticString = """
        DELETE FROM login_failures WHERE subject IN (
            SELECT subject FROM login_failures WHERE last_at < $1 AND coalesce(blocked_until, $1) <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(before)
        bindings.append(limit)
    }
}
