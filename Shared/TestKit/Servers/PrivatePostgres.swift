import LocalPlatform

/// A PostgreSQL cluster of one test's own, for tests that stop or kill a whole server. It takes about 3 s to create and
/// 0.2 s to start again. Its port stays the same when it comes back.
public struct PrivatePostgres: Sendable {
    /// `postgres://user:password@127.0.0.1:port/postgres`; the user is a superuser. Holds a password: never log it.
    public let url: String
    /// The path of the authority's certificate (PEM) that signed the server's, if started with TLS.
    /// The certificate names `localhost` and `127.0.0.1`.
    public let authorityPath: String?
    private let server: PrivateServer<PostgresServer>

    /// Runs the body with a started server; ends it and deletes its data afterwards, whatever happens.
    /// - Parameters:
    ///   - tls: accepts TLS connections too.
    ///   - settings: PostgreSQL settings, such as `["max_connections": "20"]`.
    public static func withPrivatePostgres<R>(
        tls: Bool = false, settings: [String: String] = [:], _ body: (PrivatePostgres) async throws -> R
    ) async throws -> R {
        let options = ServerOptions(hasTLS: tls, settings: settings.map { "\($0)=\($1)" })
        return try await PrivateServer.with("postgres", options, PostgresServer.init) { server in
            try await body(PrivatePostgres(server: server, tls: tls))
        }
    }

    private init(server: PrivateServer<PostgresServer>, tls: Bool) throws {
        self.server = server
        guard let url = server.server.url else { throw TestServersError(reason: "a private PostgreSQL has no URL") }
        self.url = url
        self.authorityPath = tls ? server.server.authority : nil
    }

    /// Starts it again after ``stop()`` or ``kill()``; returns when it answers. No effect on a running one.
    public func start() async throws { try await server.whole { try await $0.start() } }

    /// Fast shutdown: open transactions are rolled back and connections closed.
    public func stop() async throws { try await server.whole { try await $0.stop() } }

    /// `kill -9` of the server and all its backends; returns when they have ended.
    public func kill() async throws { try await server.whole { try await $0.kill() } }

    /// Immediate shutdown and start: connections break as in a crash, and the log is replayed.
    public func restart() async throws { try await server.whole { try await $0.restart() } }
}
