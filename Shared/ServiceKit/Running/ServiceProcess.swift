import ArgumentParser
import Foundation
import Logging
import Metrics
import NIOCore
import PollThread
import Postgres

/// The operations of a service's commands.
enum ServiceProcess<Service: SeraiService> {
    static var help: String {
        "Configuration, each from flag, environment or file:\n\n" + ConfigurationDocument(keys: Service.allKeys).help
    }

    /// - Parameter needed: keys that may be missing are left out.
    static func configuration(
        flags: [String], needed: @Sendable (AnyConfigurationKey) -> Bool = { _ in true }
    ) throws(ConfigurationError) -> ServiceConfiguration {
        try ServiceConfiguration(
            keys: Service.allKeys, arguments: flags, environment: ProcessInfo.processInfo.environment, needed: needed)
    }

    static func serve(flags: [String]) async throws -> ServiceRunner.Outcome {
        OpenFiles.raiseLimit()
        // One loop reads and writes what one thread answers; with two they would wake each other's cores in turn.
        NIOSingletons.groupLoopCountSuggestion = 1
        let configuration = try configuration(flags: flags)
        let registry = PrometheusRegistry()
        // First of all: instruments made before this count for nobody.
        MetricsSystem.bootstrap(registry)
        let logger = try startLogging(configuration)
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in Service.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let bootstrap = ServiceBootstrap(
            name: Service.name, configuration: configuration, logger: logger, registry: registry, catalogue: catalogue,
            migrations: Service.migrations)
        let components = try await Service.compose(bootstrap)
        return await ServiceRunner(
            components: components, health: bootstrap.health,
            grace: .seconds(try configuration[CommonKeys.shutdownGraceSeconds]), logger: logger
        ).run()
    }

    static func migrate(flags: [String]) async throws -> ServiceRunner.Outcome {
        try await withDatabase(flags: flags, needed: []) { pool, _, logger in
            do {
                let count = try await Migrator(pool, Service.migrations, logger: logger).migrate()
                logger.notice("migrated", metadata: [LogKeys.count: "\(count)"])
                return .success
            } catch {
                logger.error("migration failed", metadata: [LogKeys.error: "\(error)"])
                return .failure
            }
        }
    }

    /// The names of the migrations that this program needs and the database has not. The service's own role may ask.
    static func missing(flags: [String]) async throws -> [String] {
        try await withDatabase(flags: flags, needed: [], connections: 1) { pool, _, logger in
            try await Migrator(pool, Service.migrations, logger: logger).pending().map(\.label)
        }
    }

    /// A command's database: its sessions may read whole tables.
    ///
    /// - Parameter needed: keys beside those of database and logging that may not be missing.
    static func withDatabase<Value: Sendable>(
        flags: [String], needed: [AnyConfigurationKey], statementTimeout: Duration? = nil,
        connections: Int? = nil,
        _ body: (PostgresPool, ServiceConfiguration, Logger) async throws -> Value
    ) async throws -> Value {
        let names = Set((CommonKeys.database + CommonKeys.logging + needed).map(\.name))
        let configuration = try configuration(flags: flags) { names.contains($0.name) }
        let logger = try startLogging(configuration)
        let thread = PollThread(name: "postgres")
        defer { thread.stop() }
        let pool = try ServiceBootstrap.pool(
            name: Service.name, configuration: configuration, thread: thread, logger: logger,
            statementTimeout: statementTimeout, connections: connections, sessions: PostgresConfiguration.wholeTables)
        do {
            let value = try await body(pool, configuration, logger)
            await pool.close()
            return value
        } catch {
            await pool.close()
            throw error
        }
    }

    /// Runs a command and turns its end into the exit code.
    static func exit(_ command: () async throws -> ServiceRunner.Outcome) async throws {
        do {
            let outcome = try await command()
            if outcome != .success { throw ExitCode(outcome.rawValue) }
        } catch let error as ConfigurationError {
            FileHandle.standardError.write(Data("\(error)\nSee \(Service.name) --help.\n".utf8))
            throw ExitCode(78)
        } catch let code as ExitCode {
            throw code
        } catch {
            FileHandle.standardError.write(Data("\(Service.name) cannot start: \(error)\n".utf8))
            throw ExitCode(ServiceRunner.Outcome.failure.rawValue)
        }
    }

    private static func startLogging(_ configuration: ServiceConfiguration) throws -> Logger {
        let level = try configuration[CommonKeys.logLevel].level
        let format = try configuration[CommonKeys.logFormat]
        LoggingSystem.bootstrap { _ in ServiceLogHandler(service: Service.name, level: level, format: format) }
        return Logger(label: Service.name)
    }
}
