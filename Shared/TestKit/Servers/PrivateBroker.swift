import LocalPlatform

/// A RabbitMQ node of one test's own, for tests that stop, kill or alarm a whole broker. It takes about 6 s to start.
/// Its ports stay the same when it comes back.
public struct PrivateBroker: Sendable {
    /// `amqp://user:password@127.0.0.1:port/`. Holds a password: never log it.
    public let url: String
    /// `amqps://user:password@localhost:port/`, if started with TLS. Holds a password: never log it.
    public let tlsURL: String?
    /// The path of the authority's certificate (PEM) that signed the server's, if started with TLS.
    public let authorityPath: String?
    /// `http://user:password@127.0.0.1:port` of the management API. Holds a password: never log it.
    public let managementURL: String
    private let server: PrivateServer<RabbitServer>

    /// Runs the body with a started broker; ends it and deletes its data afterwards, whatever happens.
    /// - Parameter tls: opens an `amqps` listener too.
    public static func withPrivateBroker<R>(
        tls: Bool = false, _ body: (PrivateBroker) async throws -> R
    ) async throws -> R {
        try await PrivateServer.with("rabbitmq", ServerOptions(hasTLS: tls), RabbitServer.init) { server in
            try await body(PrivateBroker(server: server, tls: tls))
        }
    }

    private init(server: PrivateServer<RabbitServer>, tls: Bool) throws {
        self.server = server
        guard let url = server.server.url, let managementURL = server.server.managementURL else {
            throw TestServersError(reason: "a private RabbitMQ has no URL")
        }
        self.url = url
        self.managementURL = managementURL
        self.tlsURL = tls ? server.server.tlsURL : nil
        self.authorityPath = tls ? server.server.authority : nil
    }

    /// Starts it again after ``stop()`` or ``kill()``; returns when it answers. No effect on a running one.
    public func start() async throws { try await server.whole { try await $0.start() } }

    /// Orderly shutdown; returns when the process has ended.
    public func stop() async throws { try await server.whole { try await $0.stop() } }

    /// `kill -9`; returns when the process has ended.
    public func kill() async throws { try await server.whole { try await $0.kill() } }

    /// Orderly shutdown and start.
    public func restart() async throws { try await server.whole { try await $0.restart() } }

    /// Runs `rabbitmqctl` against this node, about 0.7 s, and returns what it printed.
    @discardableResult
    public func ctl(_ arguments: [String]) async throws -> String {
        try await server.whole { try await $0.ctl(arguments) }
    }

    /// Raises or clears the memory alarm; while it is raised the broker reads nothing from publishing connections.
    public func setMemoryAlarm(_ raised: Bool) async throws {
        try await ctl(["set_vm_memory_high_watermark", raised ? "0.0000001" : "0.4"])
    }

    /// The virtual host `/` that this broker has from the beginning, by its administrator.
    public func defaultVirtualHost() throws -> VirtualHost {
        try VirtualHost.existing("/", amqp: url, management: managementURL)
    }

    /// Creates an empty virtual host on this broker. It ends with the broker.
    public func virtualHost() async throws -> VirtualHost {
        try await VirtualHost.create(amqp: url, management: managementURL)
    }
}
