public import Foundation
import LocalPlatform

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

    /// The project's folder.
    public static let projectDirectory = URL(filePath: Project.current.folder)

    private static let found = Task.detached { try await find() }

    private static func find() async throws -> TestServers {
        let variables = ProcessInfo.processInfo.environment
        let urls: TestEnvironment.URLs
        do {
            if let named = TestEnvironment.URLs(variables) {
                urls = named
            } else {
                urls = try await TestEnvironment(project: .current, variables: variables).up()
            }
        } catch {
            throw TestServersError(reason: "the test servers could not be started: \(error)")
        }
        return TestServers(postgres: urls.postgres, amqp: urls.amqp, rabbitMQManagement: urls.management)
    }
}

/// There are no servers to test against.
public struct TestServersError: Error, CustomStringConvertible {
    /// What was tried and how it failed; holds no credentials.
    public let reason: String

    public var description: String { reason }
}
