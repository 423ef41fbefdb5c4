public import Foundation
public import Postgres

/// An operation at a time, unless it is cleared before: the end of an offer or of a payment window.
///
/// A deadline is a row, not a timer: it survives every process, and any process of the service fires it.
public struct Deadline: Sendable, Equatable {
    /// The name of the handler, such as `order.accept-window`.
    public let kind: String
    /// The subject of the operation. There is one deadline for each kind and subject.
    public let subject: String
    public let dueAt: Date
    /// JSON for the handler.
    public let payload: String
    /// The number of failed tries.
    public let attempts: Int

    /// The time for its handler: by the given clock, but not before ``dueAt``, which is by the database's. A handler that decides
    /// by a clock that is behind would find it too early, and set the same deadline again without a pause.
    public func now(by clock: () -> Date = { Date() }) -> Date { max(clock(), dueAt) }

    public init(kind: String, subject: String, dueAt: Date, payload: String = "{}") {
        self.init(kind: kind, subject: subject, dueAt: dueAt, payload: payload, attempts: 0)
    }

    init(kind: String, subject: String, dueAt: Date, payload: String, attempts: Int) {
        self.kind = kind
        self.subject = subject
        self.dueAt = dueAt
        self.payload = payload
        self.attempts = attempts
    }
}

extension PostgresTransaction {
    /// Sets a deadline if this transaction commits; one of the same kind and subject is replaced.
    public func set(_ deadline: Deadline) {
        send(SetDeadline(deadline: deadline))
        // A later deadline is found by the runner's next search. Uses this process's clock, which decides nothing else.
        if deadline.dueAt.timeIntervalSinceNow < DeadlineRunner.pollInterval / .seconds(1) {
            raiseAfterCommit(SignalName.deadlines)
        }
    }

    /// Clears a deadline if this transaction commits. One that is being fired now may still fire: its handler checks
    /// the subject's state under a lock, as every operation does.
    public func clearDeadline(kind: String, subject: String) {
        send(ClearDeadline(kind: kind, subject: subject))
    }
}

struct SetDeadline: Statement {
    static let sql: SQL = """
        INSERT INTO deadlines (kind, subject, due_at, payload) VALUES ($1, $2, $3, $4)
        ON CONFLICT (kind, subject) DO UPDATE SET due_at = excluded.due_at, payload = excluded.payload, attempts = 0
        """
    let deadline: Deadline
    func bind(_ bindings: inout Bindings) {
        bindings.append(deadline.kind, deadline.subject, deadline.dueAt, deadline.payload)
    }
}

/// Skips a row that is being fired: the firing transaction has the row and waits for the subject's lock, which the
/// clearing one holds. Waiting for the row would be a deadlock.
struct ClearDeadline: Statement {
    static let sql: SQL = """
        DELETE FROM deadlines USING (
            SELECT kind, subject FROM deadlines WHERE kind = $1 AND subject = $2 FOR UPDATE SKIP LOCKED
        ) AS cleared
        WHERE deadlines.kind = cleared.kind AND deadlines.subject = cleared.subject
        """
    let kind: String
    let subject: String
    func bind(_ bindings: inout Bindings) { bindings.append(kind, subject) }
}

/// Deletes and returns due deadlines. Skips rows that another process is firing. Uses the statement's time, which is
/// one value that the index can be searched by; with a running clock every row would be read.
struct TakeDueDeadlines: Statement {
    static let sql: SQL = """
        DELETE FROM deadlines USING (
            SELECT kind, subject FROM deadlines
            WHERE due_at <= statement_timestamp() AND kind = ANY ($1) AND due_at >= $3
            ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS due
        WHERE deadlines.kind = due.kind AND deadlines.subject = due.subject
        RETURNING deadlines.kind, deadlines.subject, deadlines.due_at, deadlines.payload, deadlines.attempts
        """
    let kinds: [String]
    let limit: Int
    /// ``DeadlineFloor``
    let floor: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(kinds, limit, floor ?? Date(timeIntervalSince1970: 0)) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Deadline {
        Deadline(
            kind: try row.next(), subject: try row.next(), dueAt: try row.next(), payload: try row.next(),
            attempts: try row.next())
    }
}

/// Seconds until the next deadline by the database's clock; negative when it is due.
struct NextDeadline: Statement {
    static let sql: SQL = """
        SELECT extract(epoch FROM min(due_at) - clock_timestamp())::float8 FROM deadlines
        WHERE kind = ANY ($1) AND due_at >= $2
        """
    let kinds: [String]
    /// ``DeadlineFloor``
    let floor: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(kinds, floor ?? Date(timeIntervalSince1970: 0)) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Double? { try row.next() }
}

/// Puts off a deadline whose handler failed: by 1, 2, 4, … seconds, at most a minute.
struct PutOffDeadline: Statement {
    static let sql: SQL = """
        UPDATE deadlines SET attempts = attempts + 1,
            due_at = clock_timestamp() + make_interval(secs => least(60, power(2, least(attempts, 10))))
        WHERE kind = $1 AND subject = $2 AND due_at <= clock_timestamp()
        """
    let kind: String
    let subject: String
    func bind(_ bindings: inout Bindings) { bindings.append(kind, subject) }
}
