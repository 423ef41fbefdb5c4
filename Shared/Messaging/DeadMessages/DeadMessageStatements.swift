import Foundation
import Postgres

/// Keeps a dead letter. One that is kept already is the same delivered again; one about which somebody has decided is
/// back only if it was put back by that decision or a later one, and not if this is a copy from before.
struct KeepDeadLetter: Statement {
    static let sql: SQL = """
        INSERT INTO dead_messages AS d (
            id, queue, key, message_id, name, aggregate, producer, causation, traceparent, request_id, occurred_at,
            failed_at, reason, failures, is_foreign, state, decisions, payload)
        VALUES ($1, $2, coalesce($3, md5($16)::uuid), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'waiting',
            $15, $16)
        ON CONFLICT (queue, key) DO UPDATE
        SET state = 'waiting', failed_at = excluded.failed_at, reason = excluded.reason, failures = excluded.failures,
            is_foreign = excluded.is_foreign, decisions = excluded.decisions, decided_at = NULL,
            payload = excluded.payload
        WHERE d.state <> 'waiting' AND excluded.decisions >= d.decisions
        """
    let record: DeadLetterRecord
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            record.id, record.queue, record.message, record.name, record.aggregate, record.producer, record.causation,
            record.traceparent, record.requestID, record.occurredAt, record.failedAt, record.reason, record.failures,
            record.isForeign, record.decisions, record.body)
    }
}

/// The columns of a ``DeadMessage``.
private enum DeadMessageColumns {
    static let all: SQL = """
        id, queue, message_id, name, aggregate, producer, occurred_at, failed_at, reason, failures, state, decided_at,
        \(isRetriable), octet_length(payload)
        """

    /// The queue of a message that belongs to none is where it lay, which ends like this.
    static let isRetriable: SQL =
        "(message_id IS NOT NULL AND name IS NOT NULL AND NOT is_foreign AND queue NOT LIKE '%.dead')"
}

extension DeadMessage {
    fileprivate init(_ row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), queue: try row.next(), message: try row.next(), name: try row.next(),
            aggregate: try row.next(), producer: try row.next(), occurredAt: try row.next(), failedAt: try row.next(),
            reason: try row.next(), failures: try row.next(), state: State(rawValue: try row.next()) ?? .waiting,
            decidedAt: try row.next(), isRetriable: try row.next(), bytes: try row.next())
    }
}

struct ListDeadMessages: Statement {
    static let sql: SQL = """
        SELECT \(DeadMessageColumns.all) FROM dead_messages
        WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR queue = $2) AND ($3::text IS NULL OR name = $3)
          AND ($4::timestamptz IS NULL OR (failed_at, id) < ($4, $5))
        ORDER BY failed_at DESC, id DESC LIMIT $6
        """
    let filter: DeadMessages.Filter
    let before: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(filter.state?.rawValue, filter.queue, filter.name, before?.at, before?.id, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeadMessage { try DeadMessage(&row) }
}

struct FindDeadMessage: Statement {
    static let sql: SQL = "SELECT \(DeadMessageColumns.all), payload FROM dead_messages WHERE id = $1"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(
        _ row: inout RowReader
    ) throws(PostgresError) -> (message: DeadMessage, body: [UInt8]?) {
        (try DeadMessage(&row), try row.next())
    }
}

struct LockDeadMessage: Statement {
    static let sql: SQL = "SELECT \(DeadMessageColumns.all) FROM dead_messages WHERE id = $1 FOR UPDATE"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeadMessage { try DeadMessage(&row) }
}

/// Sets the decision about a locked message.
struct DecideDeadMessage: Statement {
    static let sql: SQL = """
        UPDATE dead_messages
        SET state = $2, decisions = decisions + 1, decided_at = $3, payload = CASE WHEN $2 = 'retrying' THEN payload END
        WHERE id = $1
        """
    let id: UUID
    let state: DeadMessage.State
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, state.rawValue, at) }
}

/// Rows that somebody else has locked are left out: they are being decided.
struct RetryDeadMessages: Statement {
    static let sql: SQL = """
        UPDATE dead_messages SET state = 'retrying', decisions = decisions + 1, decided_at = $3
        WHERE id IN (
            SELECT id FROM dead_messages
            WHERE state = 'waiting' AND ($1::text IS NULL OR queue = $1) AND ($2::text IS NULL OR name = $2)
              AND \(DeadMessageColumns.isRetriable)
            ORDER BY failed_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
        RETURNING id
        """
    let filter: DeadMessages.Filter
    let at: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(filter.queue, filter.name, at, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// A message that is put back.
struct RetryingMessage: Sendable {
    let id: UUID
    let queue: String
    let message: UUID
    let name: String
    let aggregate: String?
    let producer: String?
    let causation: UUID?
    let traceparent: String?
    let requestID: String?
    let occurredAt: Date?
    let decisions: Int
    let body: [UInt8]
}

/// Locks messages to be put back, in the order in which they were made.
struct LockRetryingMessages: Statement {
    static let sql: SQL = """
        SELECT id, queue, message_id, name, aggregate, producer, causation, traceparent, request_id, occurred_at,
            decisions, payload
        FROM dead_messages WHERE state = 'retrying' ORDER BY occurred_at, id LIMIT $1 FOR UPDATE SKIP LOCKED
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RetryingMessage {
        RetryingMessage(
            id: try row.next(), queue: try row.next(), message: try row.next(), name: try row.next(),
            aggregate: try row.next(), producer: try row.next(), causation: try row.next(),
            traceparent: try row.next(), requestID: try row.next(), occurredAt: try row.next(),
            decisions: try row.next(), body: try row.next())
    }
}

/// Marks locked messages as put back; their content is the broker's again.
struct MarkRetried: Statement {
    static let sql: SQL = "UPDATE dead_messages SET state = 'retried', payload = NULL WHERE id = ANY ($1)"
    let ids: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(ids) }
}

struct CountDeadMessages: Statement {
    static let sql: SQL = "SELECT count(*) FROM dead_messages WHERE state = 'waiting'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Deletes what is older than its time, a thousand at a time, and what is more than may be kept.
struct PurgeDeadMessages: Statement {
    /// The limit in the statement.
    static let batch = 1_000

    static let sql: SQL = """
        DELETE FROM dead_messages WHERE id IN (
            (SELECT id FROM dead_messages WHERE failed_at < now() - make_interval(secs => $1) LIMIT 1000)
            UNION ALL (SELECT id FROM dead_messages ORDER BY failed_at DESC, id DESC OFFSET $2 LIMIT 1000))
        """
    let keepSeconds: Double
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(keepSeconds, limit) }
}
