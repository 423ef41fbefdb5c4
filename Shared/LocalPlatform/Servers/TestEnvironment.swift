import Foundation
import Glibc

/// The servers that tests run against: the project's own under `.local`, which any number of commands share.
///
/// They do not wait for the disk, since tests kill processes and never the machine. With `SERAI_DURABLE` others are used,
/// which do; with `SERAI_SERVERS` those of another Debian. Safe with several processes at once.
public struct TestEnvironment: Sendable {
    public struct URLs: Sendable {
        /// The URL of a superuser. It holds a password: never log it.
        public let postgres: String
        /// The URL of an administrator. It holds a password: never log it.
        public let amqp: String
        /// The URL of RabbitMQ's management API. It holds a password: never log it.
        public let management: String

        public init(postgres: String, amqp: String, management: String) {
            (self.postgres, self.amqp, self.management) = (postgres, amqp, management)
        }

        /// Nil when the environment does not name all of them.
        public init?(_ variables: [String: String]) {
            guard let postgres = variables.named("SERAI_TEST_POSTGRES"), let amqp = variables.named("SERAI_TEST_AMQP"),
                let management = variables.named("SERAI_TEST_RABBITMQ_MANAGEMENT")
            else { return nil }
            self.init(postgres: postgres, amqp: amqp, management: management)
        }

        public var variables: [String: String] {
            [
                "SERAI_TEST_POSTGRES": postgres, "SERAI_TEST_AMQP": amqp, "SERAI_TEST_RABBITMQ_MANAGEMENT": management,
            ]
        }
    }

    private let project: Project
    private let variables: [String: String]
    private let state: StateFolder
    private let postgres: PostgresServer
    private let rabbit: RabbitServer

    /// - Parameter variables: of the environment.
    public init(project: Project, variables: [String: String]) throws {
        self.project = project
        self.variables = variables
        let system = try ServerSystem(project: project, variables: variables)
        let isDurable = variables.named("SERAI_DURABLE") != nil
        let name = system.name ?? (isDurable ? "durable" : nil)
        state = StateFolder(name.map { "\(project.local)/\($0)" } ?? project.local)
        let options = ServerOptions(isSynced: isDurable)
        var databases = options
        // Each test makes a database and drops it, with a checkpoint each time: there is no need of others, nor of whole
        // pages in the log for a server that forgets all in a crash.
        if !isDurable { databases.settings = ["full_page_writes=off", "checkpoint_timeout=1h", "max_wal_size=4GB"] }
        postgres = PostgresServer(folder: state.path("postgres"), system: system, options: databases)
        rabbit = RabbitServer(folder: state.path("rabbitmq"), system: system, options: options)
    }

    private func locked<R>(_ body: () async throws -> R) async throws -> R {
        try StateFolder(project.local).create()
        let lock = try FileLock("\(project.local)/env.lock")
        try await lock.exclusive(within: .seconds(180))
        return try await body()
    }

    /// Starts the servers that do not run and that the environment does not name, and writes their URLs to the file `env`.
    /// Also removes private servers of test processes that were killed.
    /// - Parameter isTransient: what this call starts may be stopped by the last ``run(_:)`` that ends.
    @discardableResult
    public func up(isTransient: Bool = false) async throws -> URLs {
        try await locked {
            try state.create()
            try await removeOrphans()
            if !isTransient {
                try state.remove("env.transient")
            } else if !postgres.isRunning, !rabbit.isRunning {
                try state.write("yes", to: "env.transient")
            }
            let urls = try await started()
            let lines = urls.variables.merging(["SERAI_TEST_PROJECT": project.folder]) { $1 }
            try state.write(
                lines.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\n"), to: "env",
                isPrivate: true)
            return urls
        }
    }

    private func started() async throws -> URLs {
        let postgresURL = variables.named("SERAI_TEST_POSTGRES")
        let amqpURL = variables.named("SERAI_TEST_AMQP")
        let managementURL = variables.named("SERAI_TEST_RABBITMQ_MANAGEMENT")
        guard amqpURL == nil || managementURL != nil else {
            throw PlatformError("SERAI_TEST_AMQP is set without SERAI_TEST_RABBITMQ_MANAGEMENT")
        }
        let isPostgresNamed = postgresURL != nil
        async let database: Void = isPostgresNamed ? () : postgres.start()
        if amqpURL == nil { try await rabbit.start() }
        try await database
        return URLs(
            postgres: postgresURL ?? postgres.url ?? "", amqp: amqpURL ?? rabbit.url ?? "",
            management: (amqpURL == nil ? rabbit.managementURL : managementURL) ?? "")
    }

    /// Stops them. Their data stays, unless it is to be removed.
    public func down(removing: Bool = false) async throws {
        try await locked {
            for server in [postgres, rabbit] as [any LocalServer] {
                if removing { try await server.remove() } else { try await server.stop() }
            }
            for name in ["env", "env.transient"] { try state.remove(name) }
        }
    }

    /// Runs the body with the servers up. Servers that were started only for this are stopped after the last of several such
    /// bodies has ended.
    public func whileUp<R>(_ body: (URLs) async throws -> R) async throws -> R {
        try state.create()
        let users = try FileLock(state.path("users.lock"))
        try await users.shared(within: .seconds(180))
        let result: Result<R, any Error>
        do {
            let urls = try await up(isTransient: true)
            result = .success(try await body(urls))
        } catch {
            result = .failure(error)
        }
        if users.tryExclusive(), state.has("env.transient") {
            // Also in a task that is cancelled.
            try await Task { try await down() }.value
        }
        return try result.get()
    }

    // MARK: Private servers of tests

    /// The folder of a private server, `.local/tmp/PID-KIND-ID`, by whose number it is known when its test was killed.
    public static func privateFolder(_ kind: String, in project: Project) -> String {
        "\(project.local)/tmp/\(getpid())-\(kind)-\(UUID().uuidString.prefix(8).lowercased())"
    }

    private func removeOrphans() async throws {
        let folder = "\(project.local)/tmp"
        for name in ProcFile.names(in: folder).sorted() {
            let parts = name.split(separator: "-")
            guard parts.count > 2, let owner = pid_t(parts[0]), RunningProcess(owner) == nil else { continue }
            let system = try ServerSystem(project: project)
            switch parts[1] {
            case "postgres": try await PostgresServer(folder: "\(folder)/\(name)", system: system).remove()
            case "rabbitmq": try await RabbitServer(folder: "\(folder)/\(name)", system: system).remove()
            default: break
            }
        }
    }
}
