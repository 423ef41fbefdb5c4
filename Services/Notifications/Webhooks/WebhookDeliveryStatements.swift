import Foundation
import Postgres

/// Queues events for the endpoints that want them. A repeated message changes nothing.
struct QueueWebhooks: Statement {
    static let sql: SQL = """
        INSERT INTO webhook_deliveries (endpoint, message, event, order_id, body, created_at)
        SELECT endpoint.id, given.message, given.event, given.order_id, given.body, given.at
        FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::timestamptz[])
            AS given (account, market, message, event, order_id, body, at)
        JOIN webhook_endpoints AS endpoint ON endpoint.account = given.account AND endpoint.market = given.market
            AND endpoint.disabled_at IS NULL
            AND (endpoint.events = '{}' OR given.event = ANY (endpoint.events))
        ON CONFLICT (endpoint, message) DO NOTHING
        """
    let events: [WebhookEvent]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: events, \.account, \.market, \.message, \.event, \.order, \.body, \.at)
    }
}

/// Queues a test event for one endpoint, unless some wait there already: they show the same.
struct QueueTestWebhook: Statement {
    static let most = 5
    static let sql: SQL = """
        INSERT INTO webhook_deliveries (endpoint, message, event, body, created_at)
        SELECT $1, $2, $3, $4, $5
        WHERE (
            SELECT count(*) FROM (
                SELECT FROM webhook_deliveries WHERE endpoint = $1 AND state = 'waiting' AND event = $3 LIMIT $6
            ) AS waiting) < $6
        """
    let endpoint: UUID
    let message: UUID
    let body: String
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(endpoint, message, WebhookEvent.test, body, now, Self.most)
    }
}

/// A delivery that is due, with what is needed to send it.
struct DueWebhook: Sendable {
    let endpoint: UUID
    /// The endpoint's owner.
    let account: UUID
    let message: UUID
    let url: String
    let sealed: String
    /// Nil once it has ended.
    let previousSealed: String?
    let body: String
    /// Includes the current try.
    let tries: Int
}

/// Claims due deliveries, but of none of some owners; other processes skip them until the lease ends.
struct ClaimWebhooks: Statement {
    static let sql: SQL = """
        UPDATE webhook_deliveries AS delivery
        SET tries = tries + 1, next_at = now() + make_interval(secs => $2)
        FROM (
            SELECT due.endpoint, due.message FROM webhook_deliveries AS due
            JOIN webhook_endpoints AS endpoint ON endpoint.id = due.endpoint AND endpoint.disabled_at IS NULL
            WHERE due.state = 'waiting' AND due.next_at <= now() AND endpoint.account <> ALL ($3)
            ORDER BY due.next_at LIMIT $1 FOR UPDATE OF due SKIP LOCKED
        ) AS claimed
        JOIN webhook_endpoints AS endpoint ON endpoint.id = claimed.endpoint
        WHERE delivery.endpoint = claimed.endpoint AND delivery.message = claimed.message
        RETURNING delivery.endpoint, endpoint.account, delivery.message, endpoint.url, endpoint.sealed,
            CASE WHEN endpoint.previous_until > now() THEN endpoint.previous_sealed END, delivery.body, delivery.tries
        """
    let limit: Int
    let leaseSeconds: Double
    let except: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(limit, leaseSeconds, except) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DueWebhook {
        DueWebhook(
            endpoint: try row.next(), account: try row.next(), message: try row.next(), url: try row.next(),
            sealed: try row.next(),
            previousSealed: try row.next(), body: try row.next(), tries: Int(try row.next(Int32.self)))
    }
}

/// Stores the outcome of a try, and the endpoint's record.
struct StoreWebhookTry: Statement {
    static let sql: SQL = """
        WITH record AS (
            UPDATE webhook_endpoints SET failing_since = CASE WHEN $3 = 'sent' THEN NULL ELSE coalesce(failing_since, $4) END
            WHERE id = $1 RETURNING failing_since
        )
        UPDATE webhook_deliveries SET state = $3, last_at = $4, last_status = $5, last_answer = $6,
            next_at = coalesce($7, next_at)
        FROM record WHERE endpoint = $1 AND message = $2
        RETURNING record.failing_since
        """
    let endpoint: UUID
    let message: UUID
    let state: String
    let now: Date
    let status: Int?
    let answer: String?
    /// Nil if there is no further try.
    let nextAt: Date?
    func bind(_ bindings: inout Bindings) {
        bindings.append(endpoint, message, state, now, status.map { Int32($0) }, answer, nextAt)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date? { try row.next() }
}

/// A delivery in its endpoint's log.
struct WebhookDelivery: Sendable {
    let message: UUID
    let event: String
    let order: UUID?
    let body: String
    let state: String
    let tries: Int
    let nextAt: Date
    let createdAt: Date
    let lastAt: Date?
    let lastStatus: Int?
    let lastAnswer: String?

    static let columns: SQL = """
        message, event, order_id, body, state, tries, next_at, created_at, last_at, last_status, last_answer
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        message = try row.next()
        event = try row.next()
        order = try row.next()
        body = try row.next()
        state = try row.next()
        tries = Int(try row.next(Int32.self))
        nextAt = try row.next()
        createdAt = try row.next()
        lastAt = try row.next()
        lastStatus = try row.next(Int32?.self).map { Int($0) }
        lastAnswer = try row.next()
    }
}

/// A page of an endpoint's log, the newest first.
struct ListWebhookDeliveries: Statement {
    static let sql: SQL = """
        SELECT \(WebhookDelivery.columns) FROM webhook_deliveries
        WHERE endpoint = $1 AND ($2::text IS NULL OR state = $2) AND ($3::uuid IS NULL OR message < $3)
        ORDER BY message DESC LIMIT $4
        """
    let endpoint: UUID
    let state: String?
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(endpoint, state, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookDelivery { try WebhookDelivery(&row) }
}

/// Sends a delivery again, from the beginning of the plan; no row if the endpoint has no such one.
struct ReplayWebhook: Statement {
    static let sql: SQL = """
        UPDATE webhook_deliveries SET state = 'waiting', tries = 0, next_at = now()
        WHERE endpoint = $1 AND message = $2
        RETURNING \(WebhookDelivery.columns)
        """
    let endpoint: UUID
    let message: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(endpoint, message) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookDelivery { try WebhookDelivery(&row) }
}

/// Deletes what was sent, or given up, or waited for an endpoint that is off, a month ago.
struct PurgeWebhooks: Statement {
    static let sql: SQL = """
        DELETE FROM webhook_deliveries WHERE (endpoint, message) IN (
            SELECT endpoint, message FROM webhook_deliveries WHERE created_at < now() - interval '30 days'
            LIMIT $1 FOR UPDATE SKIP LOCKED)
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}
