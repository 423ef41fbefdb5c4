public import Foundation
public import Hummingbird
public import Logging
public import PollThread
public import Postgres

/// The parts that every service is given before it makes its own.
public struct ServiceBootstrap: Sendable {
    public let name: String
    public let configuration: ServiceConfiguration
    public let logger: Logger
    public let registry: PrometheusRegistry
    public let health: Health
    public let catalogue: ProblemCatalogue
    private let migrations: [Migration]

    init(
        name: String, configuration: ServiceConfiguration, logger: Logger, registry: PrometheusRegistry,
        catalogue: ProblemCatalogue, migrations: [Migration]
    ) {
        self.name = name
        self.configuration = configuration
        self.logger = logger
        self.registry = registry
        self.catalogue = catalogue
        self.migrations = migrations
        health = Health(logger: logger)
    }

    /// The service's pool on its own schema, and the component that closes it.
    ///
    /// Adds two health checks: `database`, and `migrations`, which fails while the schema is behind the program.
    public func database(on thread: PollThread) throws -> (pool: PostgresPool, component: ServiceComponent) {
        let pool = try Self.pool(name: name, configuration: configuration, thread: thread, logger: logger)
        health.add(HealthCheck("database") { _ = try await pool.query(Ping()) })
        let migrator = Migrator(pool, migrations, logger: logger)
        health.add(
            HealthCheck("migrations") {
                let pending = try await migrator.pending()
                guard pending.isEmpty else { throw MigrationsPending(labels: pending.map(\.label)) }
            })
        let component = ServiceComponent("database", stage: .database, ClosingService { await pool.close() })
        return (pool, component)
    }

    /// A pool for reads that may be a moment behind, where `database.late.url` names a replica; nil where it names none.
    /// Its sessions write nothing, wherever they are.
    public func lateReads(on thread: PollThread) throws -> PostgresPool? {
        try configuration[CommonKeys.lateDatabaseURL].map { url in
            try Self.pool(
                name: name, configuration: configuration, url: url, thread: thread, logger: logger,
                sessions: ["default_transaction_read_only": "on"])
        }
    }

    /// - Parameters:
    ///   - url: of another server than the service's own.
    ///   - sessions: settings of the server that differ from those of the service's role.
    static func pool(
        name: String, configuration: ServiceConfiguration, url: Redacted<String>? = nil, thread: PollThread,
        logger: Logger, statementTimeout: Duration? = nil, connections: Int? = nil, sessions: [String: String] = [:]
    ) throws -> PostgresPool {
        var connection = PostgresConfiguration(
            dsn: try (url ?? configuration[CommonKeys.databaseURL]).revealed, schema: name,
            applicationName: "serai-\(name)")
        connection.settings = sessions
        if let statementTimeout { connection.statementTimeout = statementTimeout }
        var settings = PostgresPool.Configuration(connection)
        settings.maximumConnections = try connections ?? configuration[CommonKeys.databasePoolSize]
        return PostgresPool(settings, thread: thread, logger: logger)
    }

    /// The verifier of access tokens, with the key set that the configuration names.
    ///
    /// - Parameter isEnded: whether a session's tokens are refused although they have not expired.
    /// - Throws: ``TokenKeySet/LoadError``, or why the file cannot be read.
    public func tokenVerifier(
        isEnded: @escaping @Sendable (UUID) -> Bool = { _ in false }
    ) async throws -> TokenVerifier {
        let json: Data
        if let inline = try configuration[CommonKeys.tokensKeys] {
            json = Data(inline.utf8)
        } else if let file = try tokenKeysFile() {
            json = try Data(contentsOf: file)
        } else {
            throw ConfigurationError(problems: [
                .missing(
                    key: CommonKeys.tokensKeysFile.name, flag: CommonKeys.tokensKeysFile.erased.flag,
                    environmentVariable: CommonKeys.tokensKeysFile.erased.environmentVariable)
            ])
        }
        return await TokenVerifier(
            keys: try TokenKeySet(json: json), issuer: try configuration[CommonKeys.tokensIssuer],
            audience: try configuration[CommonKeys.tokensAudience], isEnded: isEnded)
    }

    /// Nil where the key set itself is configured, or nothing.
    func tokenKeysFile() throws -> URL? {
        guard try configuration[CommonKeys.tokensKeys] == nil else { return nil }
        return try configuration[CommonKeys.tokensKeysFile].map { URL(fileURLWithPath: $0) }
    }

    /// Signs paging cursors.
    public func cursorSealer() throws -> CursorSealer {
        CursorSealer(secret: try configuration[CommonKeys.signingKey])
    }

    /// Remembers answers by Idempotency-Key. Its table is in ``IdempotencyStore/migrations``.
    public func idempotencyStore(_ pool: PostgresPool) throws -> IdempotencyStore {
        IdempotencyStore(pool: pool, secret: try configuration[CommonKeys.signingKey])
    }

    /// The HTTP server and its component.
    ///
    /// - Parameters:
    ///   - thread: where requests run: that of the service's pool.
    ///   - uploads: larger body limits in bytes, by the template of the route.
    ///   - routes: adds the service's routes.
    public func http(
        on thread: PollThread, verifier: TokenVerifier?, uploads: [String: Int] = [:],
        routes: (Router<SeraiRequestContext>) -> Void
    ) throws -> (server: HTTPServer, component: ServiceComponent) {
        var settings = try HTTPSettings(configuration)
        settings.routeBodyLimitBytes = uploads
        let server = HTTPServer(
            settings: settings, health: health, registry: registry, catalogue: catalogue, verifier: verifier,
            logger: logger, thread: thread, routes: routes)
        let component = ServiceComponent("http", stage: .http, server) { [logger] in
            let addresses = try await server.addresses()
            logger.notice(
                "listening", metadata: [LogKeys.port: "\(addresses.port)", "admin.port": "\(addresses.adminPort)"])
        }
        return (server, component)
    }
}

struct MigrationsPending: Error, CustomStringConvertible {
    let labels: [String]
    var description: String { "not applied: \(labels.joined(separator: ", "))" }
}

private struct Ping: Statement {
    static let sql: SQL = "SELECT 1"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
