public import ArgumentParser
public import Logging
public import Postgres

/// A service, as ``ServiceCommand`` runs it: its name, its keys, its schema and its composition.
public protocol SeraiService: Sendable {
    /// Lower case: `dispatch`. Also the name of the service's schema in the database.
    static var name: String { get }
    /// One sentence for `--help`.
    static var about: String { get }
    /// Besides ``CommonKeys``.
    static var keys: [AnyConfigurationKey] { get }
    /// The service's own and those of the layers it uses, such as ``IdempotencyStore/migrations``.
    static var migrations: [Migration] { get }
    /// The service's words for its own problems, as JSON; see ``ProblemCatalogue``.
    static var catalogues: [Language: [UInt8]] { get }
    /// Commands of its own beside `serve`, `migrate` and `config`. One that needs the database runs in
    /// ``withDatabase(flags:needed:_:)``.
    static var commands: [any AsyncParsableCommand.Type] { get }
    /// The composition root: makes everything and returns what has to run.
    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent]
}

extension SeraiService {
    public static var keys: [AnyConfigurationKey] { [] }
    public static var migrations: [Migration] { [] }
    public static var catalogues: [Language: [UInt8]] { [:] }
    public static var commands: [any AsyncParsableCommand.Type] { [] }

    /// Runs a command of the service's own with its database: reads the configuration, opens a pool on the service's
    /// schema, and closes it at the end. A wrong configuration ends the process with 78, a failure with 1.
    ///
    /// - Parameters:
    ///   - flags: configuration flags of the command line.
    ///   - needed: keys beside those of database and logging that may not be missing.
    ///   - statementTimeout: for a command whose statements may take long; nil is as in a running service.
    public static func withDatabase(
        flags: [String], needed: [AnyConfigurationKey] = [], statementTimeout: Duration? = nil,
        connections: Int? = nil,
        _ body: (PostgresPool, ServiceConfiguration, Logger) async throws -> Void
    ) async throws {
        try await ServiceProcess<Self>.exit {
            try await ServiceProcess<Self>.withDatabase(
                flags: flags, needed: needed, statementTimeout: statementTimeout, connections: connections
            ) { pool, configuration, logger in
                try await body(pool, configuration, logger)
            }
            return .success
        }
    }

    /// Everything that can be set.
    public static var allKeys: [AnyConfigurationKey] { CommonKeys.all + keys }
}
