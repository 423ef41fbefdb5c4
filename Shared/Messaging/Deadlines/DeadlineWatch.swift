import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle

/// Counts the deadlines of the service that are late, every thirty seconds, for metrics. Any number of processes may run
/// it; each tells the same figures, which are the database's.
public struct DeadlineWatch: Service {
    private let pool: PostgresPool
    private let interval: Duration
    private let logger: Logger

    public init(pool: PostgresPool, interval: Duration = .seconds(30), logger: Logger) {
        self.pool = pool
        self.interval = interval
        self.logger = logger
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let late = try await pool.first(LateDeadlines())
                    MessagingMetrics.deadlines(overdue: late?.count ?? 0, seconds: late?.oldestSeconds ?? 0)
                } catch {
                    // The figures stay as they were; whoever fires deadlines says that the database is away.
                    logger.debug("late deadlines were not counted", metadata: ["error": "\(error)"])
                }
                do { try await pool.thread.sleep(until: .now + interval) } catch { return }
            }
        }
    }
}

/// Late is a second: before, a process is about to fire it. Counted with a limit.
struct LateDeadlines: Statement {
    static let sql: SQL = """
        SELECT count(*), coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8
        FROM (SELECT due_at FROM deadlines WHERE due_at < now() - interval '1 second' ORDER BY due_at LIMIT 10000) AS late
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (count: Int, oldestSeconds: Double) {
        (try row.next(), try row.next())
    }
}
