public import Foundation
import Locks

/// The servers that tests run against.
///
/// Named by the environment (`SERAI_TEST_POSTGRES`, `SERAI_TEST_AMQP`, `SERAI_TEST_RABBITMQ_MANAGEMENT`), else the
/// project's own under `.local/`, which are started if they do not run and stay up after the process has ended.
public struct TestServers: Sendable {
    /// `postgres://user:password@host:port/database`; the user is a superuser. Holds a password: never log it.
    public let postgres: String
    /// `amqp://user:password@host:port/`. Holds a password: never log it.
    public let amqp: String
    /// `http://user:password@host:port` of the RabbitMQ management API. Holds a password: never log it.
    public let rabbitMQManagement: String

    /// The servers of this process. The first call looks for them and starts what does not run; later calls, and calls
    /// made meanwhile, get the same answer or the same error.
    /// - Throws: ``TestServersError``.
    public static func shared() async throws -> TestServers {
        try await found.value
    }

    /// The project's folder: the one with `Package.swift` and `scripts/` above this source file.
    public static let projectDirectory: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path() != "/" {
            let script = folder.appending(path: "scripts/env-up").path(percentEncoded: false)
            if FileManager.default.fileExists(atPath: script) { return folder }
            folder.deleteLastPathComponent()
        }
        return URL(filePath: FileManager.default.currentDirectoryPath)
    }()

    private static let found = Task.detached { try await find() }

    private static func find() async throws -> TestServers {
        let environment = ProcessInfo.processInfo.environment
        if let named = TestServers(environment) { return named }
        // The script starts only what does not run and is not named by the environment; it does nothing in 0.1 s.
        do {
            try await ServerScript(name: "env-up").run([])
        } catch {
            throw TestServersError(reason: "the test servers could not be started: \(error)")
        }
        let file = projectDirectory.appending(path: ".local/env")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        guard let servers = TestServers(Dictionary(pairs, uniquingKeysWith: { _, last in last })) else {
            throw TestServersError(reason: "\(file.path()) does not name all servers")
        }
        return servers
    }

    private init?(_ variables: [String: String]) {
        guard let postgres = variables["SERAI_TEST_POSTGRES"], !postgres.isEmpty,
            let amqp = variables["SERAI_TEST_AMQP"], !amqp.isEmpty,
            let management = variables["SERAI_TEST_RABBITMQ_MANAGEMENT"], !management.isEmpty
        else { return nil }
        self.postgres = postgres
        self.amqp = amqp
        self.rabbitMQManagement = management
    }
}

/// There are no servers to test against.
public struct TestServersError: Error, CustomStringConvertible {
    /// What was tried and how it failed; holds no credentials.
    public let reason: String

    public var description: String { reason }
}
