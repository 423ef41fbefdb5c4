import Foundation

/// The passwords of each service's roles in the database and of its user on the broker, which `deploy/setup` sets, and the
/// URLs that hold them.
public struct ServiceAccounts: Sendable, Codable, Equatable {
    /// Passwords by the names of the variables that `deploy/setup` reads.
    public let variables: [String: String]

    public static func generated() -> ServiceAccounts {
        var variables: [String: String] = [:]
        for service in DeploymentPlan.services {
            for kind in ["DATABASE", "OWNER", "AMQP"] { variables[name(service, kind)] = Secret.hexadecimal() }
        }
        return ServiceAccounts(variables: variables)
    }

    private static func name(_ service: String, _ kind: String) -> String {
        "SERAI_\(service.uppercased())_\(kind)_PASSWORD"
    }

    private func password(_ service: String, _ kind: String) -> String { variables[Self.name(service, kind)] ?? "" }

    /// The service's own role, which reads and writes rows and no more.
    public func database(of service: String, at server: ServerAddress, database: String = "serai") -> String {
        server.url(user: service, password: password(service, "DATABASE"), path: database)
    }

    /// The owner of the service's schema, as whom migrations run.
    public func database(ofOwnerOf service: String, at server: ServerAddress, database: String = "serai") -> String {
        server.url(user: "\(service)_owner", password: password(service, "OWNER"), path: database)
    }

    public func broker(of service: String, at server: ServerAddress) -> String {
        server.url(user: service, password: password(service, "AMQP"), path: "")
    }

    /// Runs `deploy/setup`, as every start of a deployment does.
    /// - Parameters:
    ///   - superuser: the database's URL.
    ///   - management: the URL of RabbitMQ's management API.
    public func setUp(
        superuser: ServerAddress, database: String = "serai", management: String, in project: Project,
        mark: [String: String] = [:]
    ) async throws {
        let environment = variables.merging(superuser.variables(database: database)) { $1 }
            .merging(["SERAI_RABBITMQ_MANAGEMENT": management]) { $1 }
        try await Command([project.path("deploy/setup")]).with(environment).with(mark).run()
    }
}

/// Where a server is and who its administrator is, from its URL.
public struct ServerAddress: Sendable, Equatable {
    let scheme, user, password, host: String
    let port: Int
    /// Stands in URLs instead of host and port's host: a folder with a Unix socket.
    var socket: String?

    /// - Parameter url: `scheme://user:password@host:port/…`, nothing in it percent-encoded.
    /// - Throws: ``PlatformError`` when it is another thing.
    public init(_ url: String, socket: String? = nil) throws {
        guard let match = url.wholeMatch(of: #/([a-z]+):\/\/([^:@\/]+):([^@\/]+)@([^:\/]+):([0-9]+)(?:\/.*)?/#),
            let port = Int(match.5)
        else { throw PlatformError("a server's URL has another form than scheme://user:password@host:port/") }
        (scheme, user, password, host) = (String(match.1), String(match.2), String(match.3), String(match.4))
        self.port = port
        self.socket = socket
    }

    public func url(user: String, password: String, path: String) -> String {
        let host = socket?.replacing("/", with: "%2F") ?? host
        return "\(scheme)://\(user):\(password)@\(host):\(port)/\(path)"
    }

    /// The administrator's URL of a database.
    public func url(database: String) -> String { url(user: user, password: password, path: database) }

    /// The variables that `psql` reads, so that the password stands in no command line.
    public func variables(database: String) -> [String: String] {
        ["PGHOST": host, "PGPORT": "\(port)", "PGUSER": user, "PGPASSWORD": password, "PGDATABASE": database]
    }
}
