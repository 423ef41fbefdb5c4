import Foundation
import Messaging
import Postgres

/// Finds the last and the oldest stored number of an account's stream.
struct FindStreamPosition: Statement {
    static let sql: SQL = """
        SELECT (SELECT last_seq FROM streams WHERE account = $1),
            (SELECT seq FROM stream_events WHERE account = $1 ORDER BY seq LIMIT 1)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (last: Int?, oldestKept: Int?) {
        (try row.next(), try row.next())
    }
}

/// Lists an account's latest order events; reads a bounded number of rows.
struct ListLatestOrderEvents: Statement {
    static let sql: SQL = """
        SELECT (p ->> 'order')::uuid, (p ->> 'version')::bigint, p ->> 'state',
            $2 IN (lower(p #>> '{customer,account}'), coalesce(lower(p #>> '{provider,account}'), ''),
                coalesce(lower(p #>> '{merchant,account}'), ''))
        FROM (
            SELECT kind, payload FROM stream_events WHERE account = $1 ORDER BY seq DESC LIMIT 64
        ) AS e
        CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) AS j
        WHERE e.kind = 'order'
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account, account.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RunningOrders.Told {
        RunningOrders.Told(
            order: try row.next(), version: try row.next(), state: try row.next(), isParty: try row.next())
    }
}

/// The position of a connected stream.
struct StreamMark: Sendable {
    let stream: Int
    let account: UUID
    let after: Int
}

/// A stored event of a stream, with the account's language.
struct StoredEvent: Sendable {
    enum Content: Sendable {
        case told(label: String?, payload: String)
        case item(StoredItem)
        /// The item was deleted.
        case nothing
    }

    let stream: Int
    let seq: Int
    let kind: String
    let language: String?
    let content: Content
}

/// Reads the next events of many streams. `OFFSET 0` keeps each look-up by key: without row estimates the planner would
/// scan whole tables.
struct ReadStreams: Statement {
    static let sql: SQL = """
        SELECT w.stream, e.seq, e.kind, (SELECT language FROM people WHERE account = w.account), e.label, e.payload,
            i.id, i.topic, \(StoredItem.itsArguments), i.order_id, i.at, i.read_at IS NOT NULL
        FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) AS w (stream, account, after)
        CROSS JOIN LATERAL (
            SELECT seq, kind, label, payload, item FROM stream_events
            WHERE account = w.account AND seq > w.after ORDER BY seq LIMIT $4
        ) AS e
        LEFT JOIN LATERAL (SELECT * FROM inbox_items WHERE id = e.item OFFSET 0) AS i ON true
        ORDER BY w.stream, e.seq
        """
    let marks: [StreamMark]
    /// Per stream.
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: marks, \.stream, \.account, \.after)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredEvent {
        let stream: Int = try row.next()
        let seq: Int = try row.next()
        let kind: String = try row.next()
        let language: String? = try row.next()
        let label: String? = try row.next()
        let payload: String? = try row.next()
        let content: StoredEvent.Content
        if let payload {
            content = .told(label: label, payload: payload)
        } else if let id: UUID = try row.next() {
            content = .item(try StoredItem(id: id, rest: &row))
        } else {
            content = .nothing
        }
        return StoredEvent(stream: stream, seq: seq, kind: kind, language: language, content: content)
    }
}

/// Finds the streams that have further events.
struct FindStreamsBehind: Statement {
    static let sql: SQL = """
        SELECT w.stream FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) AS w (stream, account, after)
        JOIN streams AS s ON s.account = w.account WHERE s.last_seq > w.after
        """
    let marks: [StreamMark]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: marks, \.stream, \.account, \.after) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Sends one notification per payload to all processes.
struct NotifyStreams: Statement {
    static let channel = "notifications_streams"
    static let sql: SQL = "SELECT pg_notify('notifications_streams', text) FROM unnest($1::text[]) AS text"
    let payloads: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(payloads) }
}

struct PurgeStreamEvents: Statement {
    static let sql: SQL = """
        DELETE FROM stream_events WHERE (account, seq) IN (
            SELECT account, seq FROM stream_events WHERE at < now() - make_interval(secs => $1) ORDER BY at LIMIT $2)
        """
    let keepSeconds: Double
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(keepSeconds, limit) }
}

/// Deletes the last told versions of orders and payments that began long ago.
struct PurgeTold: Statement {
    static let sql: SQL = """
        DELETE FROM told WHERE (subject, account) IN (
            SELECT subject, account FROM told WHERE since < now() - make_interval(secs => $1) ORDER BY since LIMIT $2)
        """
    let keepSeconds: Double
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(keepSeconds, limit) }
}

/// Deletes items from before a moment, by the time in their ids, in the order of the primary key.
struct PurgeItems: Statement {
    static let sql: SQL = """
        DELETE FROM inbox_items WHERE id IN (
            SELECT id FROM inbox_items WHERE id < $1 ORDER BY id LIMIT $2)
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(UUID.before(before), limit) }
}
