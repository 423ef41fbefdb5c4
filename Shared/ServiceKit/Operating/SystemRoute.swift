import Foundation
import Hummingbird
import Messaging
import Postgres

/// `system` of a service: how it stands, for admins. A service that does not answer it is down, which whoever asks all
/// of them sees without any of them knowing another's address.
struct SystemRoute<Service: FeatureService>: Sendable {
    let pool: PostgresPool
    let clock: @Sendable () -> Date
    let startedAt: Date

    func add(to group: RouterGroup<AuthenticatedContext>) { group.get("system", use: show) }

    @Sendable func show(_ request: Request, _ context: AuthenticatedContext) async throws -> SystemView {
        guard context.caller.roles.contains(where: { $0.role == "admin" }) else { throw Problem.forbidden }
        let asked = clock()
        guard let figures = try await MessagingFigures.read(in: pool) else { throw Problem.notFound }
        let now = clock()
        // The database was asked somewhere between the two.
        let middle = asked.addingTimeInterval(now.timeIntervalSince(asked) / 2)
        return SystemView(
            service: Service.name, now: now, startedAt: startedAt,
            databaseAheadMilliseconds: Int((figures.databaseNow.timeIntervalSince(middle) * 1000).rounded()),
            migrations: try await pool.query(NewestMigrations()),
            outbox: SystemView.Backlog(count: figures.outboxWaiting, oldestSeconds: figures.outboxOldestSeconds),
            deadlines: SystemView.Backlog(
                count: figures.deadlinesOverdue, oldestSeconds: figures.deadlinesOldestSeconds),
            deadMessages: figures.deadMessages)
    }
}

struct SystemView: ResponseEncodable, Sendable {
    struct Migrations: Encodable, Sendable {
        let component: String
        /// The number of the newest that was applied.
        let version: Int
    }

    struct Backlog: Encodable, Sendable {
        let count: Int
        let oldestSeconds: Int

        init(count: Int, oldestSeconds: Double) {
            self.count = count
            self.oldestSeconds = Int(max(0, oldestSeconds).rounded())
        }
    }

    let service: String
    let now: Date
    /// Of the process that answers.
    let startedAt: Date
    let databaseAheadMilliseconds: Int
    let migrations: [Migrations]
    let outbox: Backlog
    let deadlines: Backlog
    let deadMessages: Int
}

struct NewestMigrations: Statement {
    static let sql: SQL = "SELECT component, max(version) FROM schema_migrations GROUP BY component ORDER BY component"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SystemView.Migrations {
        SystemView.Migrations(component: try row.next(), version: try row.next())
    }
}
