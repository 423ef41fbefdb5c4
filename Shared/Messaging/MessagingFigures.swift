public import Foundation
public import Postgres

/// How a service's messages and deadlines stand, for those who run it.
public struct MessagingFigures: Sendable, Equatable {
    /// Counted up to this number.
    public static let countLimit = 10_000

    /// Messages that the broker has not confirmed, and the age of the oldest.
    public let outboxWaiting: Int
    public let outboxOldestSeconds: Double
    /// Deadlines whose time is over and whose handler has not succeeded, and how long the oldest is overdue.
    public let deadlinesOverdue: Int
    public let deadlinesOldestSeconds: Double
    public let deadMessages: Int
    /// The database's time.
    public let databaseNow: Date

    public static func read(in pool: PostgresPool) async throws(PostgresError) -> MessagingFigures? {
        try await pool.first(ReadMessagingFigures())
    }
}

struct ReadMessagingFigures: Statement {
    /// With the limit. A deadline is late after a second: before, a process is about to fire it.
    static let sql: SQL = """
        SELECT
            (SELECT count(*) FROM (SELECT FROM outbox WHERE published_at IS NULL LIMIT 10000) AS waiting),
            coalesce((SELECT extract(epoch FROM now() - occurred_at) FROM outbox WHERE published_at IS NULL
                ORDER BY seq LIMIT 1), 0)::float8,
            (SELECT count(*) FROM (SELECT FROM deadlines WHERE due_at < now() - interval '1 second' LIMIT 10000)
                AS overdue),
            coalesce((SELECT extract(epoch FROM now() - min(due_at)) FROM deadlines
                WHERE due_at < now() - interval '1 second'), 0)::float8,
            (SELECT count(*) FROM dead_messages WHERE state = 'waiting'), clock_timestamp()
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MessagingFigures {
        MessagingFigures(
            outboxWaiting: try row.next(), outboxOldestSeconds: try row.next(), deadlinesOverdue: try row.next(),
            deadlinesOldestSeconds: try row.next(), deadMessages: try row.next(), databaseNow: try row.next())
    }
}
