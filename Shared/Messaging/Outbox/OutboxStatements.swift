import Foundation
import Postgres

/// For one message, the common case: `unnest` of ten arrays costs the server more than half as much again.
struct InsertOutboxRecord: Statement {
    static let sql: SQL = """
        INSERT INTO outbox
            (id, exchange, name, aggregate, causation, traceparent, request_id, mandatory, payload, occurred_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """
    let record: OutboxRecord
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            record.id, record.exchange, record.name, record.aggregate, record.causation, record.traceparent,
            record.requestID, record.isMandatory, record.payload, record.occurredAt)
    }
}

struct InsertOutbox: Statement {
    static let sql: SQL = """
        INSERT INTO outbox
            (id, exchange, name, aggregate, causation, traceparent, request_id, mandatory, payload, occurred_at)
        SELECT * FROM unnest(
            $1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::boolean[],
            $9::text[], $10::timestamptz[])
        """
    let records: [OutboxRecord]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: records, \.id, \.exchange, \.name, \.aggregate, \.causation, \.traceparent, \.requestID,
            \.isMandatory, \.payload, \.occurredAt)
    }
}

/// A message that waits to be published.
struct OutboxRow: Sendable {
    let seq: Int
    let record: OutboxRecord
}

extension OutboxRow {
    fileprivate init(_ row: inout RowReader) throws(PostgresError) {
        self.init(
            seq: try row.next(),
            record: OutboxRecord(
                id: try row.next(), exchange: try row.next(), name: try row.next(), aggregate: try row.next(),
                causation: try row.next(), traceparent: try row.next(), requestID: try row.next(),
                isMandatory: try row.next(), payload: try row.next(), occurredAt: try row.next()))
    }
}

/// The oldest waiting messages from the floor on (``OutboxFloor``), except those of held aggregates.
struct SelectUnpublished: Statement {
    static let sql: SQL = """
        SELECT seq, id, exchange, name, aggregate, causation, traceparent, request_id, mandatory, payload, occurred_at
        FROM outbox
        WHERE published_at IS NULL AND seq >= $3 AND aggregate <> ALL ($1)
        ORDER BY seq LIMIT $2
        """
    let heldAggregates: [String]
    let limit: Int
    let floor: Int
    func bind(_ bindings: inout Bindings) { bindings.append(heldAggregates, limit, floor) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OutboxRow { try OutboxRow(&row) }
}

/// As ``SelectUnpublished``, also without messages to held exchanges and without the other messages of their
/// aggregates. The table is read once, however many messages wait.
struct SelectUnpublishedBeside: Statement {
    static let sql: SQL = """
        SELECT seq, id, exchange, name, aggregate, causation, traceparent, request_id, mandatory, payload, occurred_at
        FROM outbox
        WHERE published_at IS NULL AND seq >= $4 AND aggregate <> ALL ($1) AND exchange <> ALL ($2) AND aggregate NOT IN (
            SELECT aggregate FROM outbox AS held
            WHERE held.published_at IS NULL AND held.seq >= $4 AND held.exchange = ANY ($2))
        ORDER BY seq LIMIT $3
        """
    let heldAggregates: [String]
    let heldExchanges: [String]
    let limit: Int
    let floor: Int
    func bind(_ bindings: inout Bindings) { bindings.append(heldAggregates, heldExchanges, limit, floor) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OutboxRow { try OutboxRow(&row) }
}

/// Deletes confirmed messages. A mark would write a second version of each row with its whole payload.
struct RemovePublished: Statement {
    static let sql: SQL = "DELETE FROM outbox WHERE seq = ANY ($1)"
    let numbers: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(numbers) }
}

/// Marks confirmed messages, where they are kept for a while.
struct MarkPublished: Statement {
    static let sql: SQL = "UPDATE outbox SET published_at = now() WHERE seq = ANY ($1)"
    let numbers: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(numbers) }
}

/// Wakes the active relay in another process. The channel is per schema, as the lock is.
struct NotifyOutbox: Statement {
    static let sql: SQL = "SELECT pg_notify('serai.outbox.' || current_schema(), '')::text"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Deletes confirmed messages that were kept, a thousand at a time. Reads only the oldest of them, so it never reads
/// far.
struct PurgeOutbox: Statement {
    static let sql: SQL = """
        WITH oldest AS (SELECT seq FROM outbox WHERE published_at IS NOT NULL ORDER BY seq LIMIT 1000)
        DELETE FROM outbox USING oldest
        WHERE outbox.seq = oldest.seq AND outbox.published_at < now() - make_interval(secs => $1)
        """
    let keepSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(keepSeconds) }
}

/// The number of waiting messages and the age of the oldest, for metrics.
struct OutboxBacklog: Statement {
    static let sql: SQL = """
        SELECT count(*), coalesce(extract(epoch FROM now() - min(occurred_at)), 0)::float8
        FROM (SELECT occurred_at FROM outbox WHERE published_at IS NULL AND seq >= $1 ORDER BY seq LIMIT 10000)
            AS waiting
        """
    let floor: Int
    func bind(_ bindings: inout Bindings) { bindings.append(floor) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (count: Int, oldestSeconds: Double) {
        (try row.next(), try row.next())
    }
}
