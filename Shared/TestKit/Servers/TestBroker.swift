/// The RabbitMQ server that all tests share. Each test takes a virtual host of its own.
public enum TestBroker {
    /// Creates an empty virtual host; the caller deletes it with ``VirtualHost/delete()``.
    public static func virtualHost() async throws -> VirtualHost {
        let servers = try await TestServers.shared()
        return try await VirtualHost.create(amqp: servers.amqp, management: servers.rabbitMQManagement)
    }

    /// Runs the body with an empty virtual host and deletes it afterwards, whether the body returns or throws.
    public static func withVirtualHost<R>(_ body: (VirtualHost) async throws -> R) async throws -> R {
        try await virtualHost().deletedAfter(body)
    }
}
