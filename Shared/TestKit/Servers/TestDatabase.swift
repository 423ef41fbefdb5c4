import Crypto
import Foundation
public import Logging
public import PollThread
public import Postgres

/// A database of a test's own, cloned from a template that has the migrations already.
public struct TestDatabase: Sendable {
    /// With the superuser's password.
    public let dsn: String
    public let name: String
    /// Schema that the migrations ran in, if no other was named, and that pools made here use.
    public static let schema = "test"

    /// Gives `body` a fresh database and drops it afterwards, whoever is still connected.
    ///
    /// The first test with a list of migrations makes a template of them; cloning one takes about 50 ms.
    /// - Parameter schema: where the migrations run.
    @discardableResult
    public static func withDatabase<R>(
        _ migrations: [Migration] = [], schema: String = Self.schema, _ body: (TestDatabase) async throws -> R
    ) async throws -> R {
        let text = ([schema] + migrations.map { "\($0.label)\n\($0.sql)" }).joined(separator: "\n")
        return try await withDatabase(of: text) { template in
            let pool = PostgresPool(
                PostgresPool.Configuration(PostgresConfiguration(dsn: template.dsn, schema: schema)),
                thread: TestThreads.postgres, logger: TestThreads.logger)
            try await Migrator(pool, migrations, logger: TestThreads.logger).migrate()
            await pool.close()
        } _: {
            try await body($0)
        }
    }

    /// As ``withDatabase(_:schema:_:)``, cloned from a template that something else has prepared.
    /// - Parameters:
    ///   - text: all that the template depends on; it is made once per text and kept between runs.
    ///   - prepare: makes the template of an empty database, and leaves no connection to it.
    @discardableResult
    public static func withDatabase<R>(
        of text: String, prepare: @escaping @Sendable (TestDatabase) async throws -> Void,
        _ body: (TestDatabase) async throws -> R
    ) async throws -> R {
        let servers = try await TestServers.shared()
        let admin = try await AdminConnection.shared.pool(servers)
        let template = try await AdminConnection.shared.template(text, servers, prepare)
        let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
        // As files: through the log, which is the default, takes three times as long.
        try await admin.runOutsideTransaction("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy")
        let database = TestDatabase(dsn: dsn(servers.postgres, database: name), name: name)
        do {
            let value = try await body(database)
            try await admin.runOutsideTransaction("DROP DATABASE \(name) WITH (FORCE)")
            return value
        } catch {
            // The test's own failure is the one to tell.
            _ = try? await admin.runOutsideTransaction("DROP DATABASE \(name) WITH (FORCE)")
            throw error
        }
    }

    /// Settings of a connection to this database.
    public func configuration(applicationName: String = "test") -> PostgresConfiguration {
        PostgresConfiguration(dsn: dsn, schema: Self.schema, applicationName: applicationName)
    }

    /// Gives `body` a pool of this database and closes it afterwards.
    @discardableResult
    public func withPool<R>(
        maximum: Int = 4, _ adjust: (inout PostgresPool.Configuration) -> Void = { _ in },
        _ body: (PostgresPool) async throws -> R
    ) async throws -> R {
        var configuration = PostgresPool.Configuration(configuration())
        configuration.maximumConnections = maximum
        // Many tests share a machine; what waits long is still right.
        configuration.acquireTimeout = .seconds(60)
        configuration.connection.lockTimeout = .seconds(25)
        adjust(&configuration)
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        do {
            let value = try await body(pool)
            await pool.close()
            return value
        } catch {
            await pool.close()
            throw error
        }
    }

    /// A database by another way to it, such as a proxy.
    public init(dsn: String, name: String) {
        self.dsn = dsn
        self.name = name
    }

    /// Settings of the server for all later sessions in this database, as a service's role has them in a deployment.
    public func set(_ settings: [String: String]) async throws {
        let admin = try await AdminConnection.shared.pool(try await TestServers.shared())
        for (setting, value) in settings {
            try await admin.runOutsideTransaction("ALTER DATABASE \(name) SET \(setting) = '\(value)'")
        }
    }

    /// Ends every session of this database with `pg_terminate_backend`.
    public func terminateAllSessions() async throws {
        let admin = try await AdminConnection.shared.pool(try await TestServers.shared())
        let ended = try await admin.query(TerminateSessions(name: name))
        try await eventually("the sessions have ended") { try await admin.first(CountSessions(processes: ended)) == 0 }
    }

    static func dsn(_ server: String, database: String) -> String {
        let end = server.lastIndex(of: "/") ?? server.endIndex
        return "\(server[..<end])/\(database)"
    }
}

/// Threads and a logger that the tests of a process share.
public enum TestThreads {
    public static let postgres = PollThread(name: "test-postgres")
    /// Warnings and worse.
    public static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .error
        return logger
    }()
}

/// Makes databases and templates.
private actor AdminConnection {
    static let shared = AdminConnection()

    private var pool: PostgresPool?
    private var templates: [String: Task<Void, any Error>] = [:]

    func pool(_ servers: TestServers) throws -> PostgresPool {
        if let pool { return pool }
        var configuration = PostgresPool.Configuration(PostgresConfiguration(dsn: servers.postgres))
        configuration.maximumConnections = 4
        configuration.acquireTimeout = .seconds(60)
        // A database is dropped with a checkpoint, which others' writes can make long.
        configuration.connection.statementTimeout = .seconds(120)
        let made = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        pool = made
        return made
    }

    /// The name of a database that is prepared so; made once per text and kept between runs.
    func template(
        _ text: String, _ servers: TestServers, _ prepare: @escaping @Sendable (TestDatabase) async throws -> Void
    ) async throws -> String {
        let digest = SHA256.hash(data: Data(text.utf8)).prefix(8).map { String(format: "%02x", $0) }.joined()
        let name = "template_\(digest)"
        let admin = try pool(servers)
        let task = templates[name] ?? Task { try await Self.makeTemplate(name, servers, admin, prepare) }
        templates[name] = task
        try await task.value
        return name
    }

    /// Another test process may make the same one: the name appears only once it is complete.
    private static func makeTemplate(
        _ name: String, _ servers: TestServers, _ admin: PostgresPool,
        _ prepare: @Sendable (TestDatabase) async throws -> Void
    ) async throws {
        if try await admin.first(DatabaseExists(name: name)) ?? false { return }
        let draft = "draft_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await admin.runOutsideTransaction("CREATE DATABASE \(draft)")
        try await prepare(TestDatabase(dsn: TestDatabase.dsn(servers.postgres, database: draft), name: draft))
        do {
            try await admin.runOutsideTransaction("ALTER DATABASE \(draft) RENAME TO \(name)")
        } catch {
            try await admin.runOutsideTransaction("DROP DATABASE \(draft) WITH (FORCE)")
            guard try await admin.first(DatabaseExists(name: name)) ?? false else { throw error }
        }
    }
}

private struct DatabaseExists: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Materialized, for the planner may call the function before it looks at the database's name.
private struct TerminateSessions: Statement {
    static let sql: SQL = """
        WITH sessions AS MATERIALIZED (SELECT pid FROM pg_stat_activity WHERE datname = $1)
        SELECT pid FROM sessions WHERE pg_terminate_backend(pid)
        """
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}

private struct CountSessions: Statement {
    static let sql: SQL = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY ($1)"
    let processes: [Int32]
    func bind(_ bindings: inout Bindings) { bindings.append(processes) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
