import Foundation
import Postgres
import TestKit

/// A PostgreSQL and a RabbitMQ of a test's own, prepared by `deploy/setup` as those of a deployment are.
struct Deployment: Sendable {
    static let name = "serai"

    let postgres: PrivatePostgres
    let broker: PrivateBroker
    /// By the administrator.
    let host: VirtualHost
    /// By the superuser.
    let database: TestDatabase
    private let passwords: [String: String]

    static func prepared(_ body: (Deployment) async throws -> Void) async throws {
        try await PrivatePostgres.withPrivatePostgres(settings: ["max_connections": "120"]) { postgres in
            try await PrivateBroker.withPrivateBroker { broker in
                try await body(try await Deployment(postgres, broker))
            }
        }
    }

    private init(_ postgres: PrivatePostgres, _ broker: PrivateBroker) async throws {
        self.postgres = postgres
        self.broker = broker
        host = try broker.defaultVirtualHost()
        var passwords: [String: String] = [:]
        for service in Platform.services {
            for kind in ["DATABASE", "OWNER", "AMQP"] {
                passwords["SERAI_\(service.uppercased())_\(kind)_PASSWORD"] = UUID().uuidString
            }
        }
        self.passwords = passwords
        database = TestDatabase(dsn: Self.url(postgres.url, path: "/\(Self.name)"), name: Self.name)
        try await run(["CREATE DATABASE \(Self.name)"], at: postgres.url)
        try await setUp()
    }

    /// Runs `deploy/setup`, as every start of a deployment does.
    func setUp() async throws {
        let parts = URLComponents(string: database.dsn)
        var environment = passwords
        environment["PGHOST"] = parts?.host
        environment["PGPORT"] = parts?.port.map(String.init)
        environment["PGUSER"] = parts?.user
        environment["PGPASSWORD"] = parts?.password
        environment["PGDATABASE"] = Self.name
        environment["SERAI_RABBITMQ_MANAGEMENT"] = broker.managementURL
        try await ServerScript(name: "setup", folder: "deploy").run([], environment: environment)
    }

    // MARK: Whom the services are

    /// What `deploy/env/<service>.env` says.
    func serving(_ service: String) -> [String: String] {
        ["SERAI_DATABASE_URL": url(of: service), "SERAI_AMQP_URL": amqp(service)]
    }

    /// What `deploy/env/<service>-owner.env` says.
    func migrating(_ service: String) -> [String: String] { ["SERAI_DATABASE_URL": url(ofOwnerOf: service)] }

    func url(of service: String, in database: String = name) -> String {
        Self.url(
            postgres.url, path: "/\(database)", user: service,
            password: passwords["SERAI_\(service.uppercased())_DATABASE_PASSWORD"])
    }

    func url(ofOwnerOf service: String) -> String {
        Self.url(
            postgres.url, path: "/\(Self.name)", user: "\(service)_owner",
            password: passwords["SERAI_\(service.uppercased())_OWNER_PASSWORD"])
    }

    func amqp(_ service: String) -> String {
        Self.url(
            broker.url, path: "/", user: service, password: passwords["SERAI_\(service.uppercased())_AMQP_PASSWORD"])
    }

    private static func url(_ server: String, path: String, user: String? = nil, password: String? = nil) -> String {
        guard var parts = URLComponents(string: server) else { return server }
        parts.path = path
        if let user { parts.user = user }
        if let password { parts.password = password }
        return parts.string ?? server
    }

    // MARK: Acting as them

    /// Runs statements one by one in a session of its own.
    func run(_ statements: [String], at url: String, schema: String? = nil) async throws {
        let configuration = PostgresPool.Configuration(PostgresConfiguration(dsn: url, schema: schema))
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        do {
            for statement in statements { try await pool.runOutsideTransaction(statement) }
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    /// Why the database refuses a statement; nil when it does not.
    func refusal(of statement: String, at url: String, schema: String? = nil) async throws -> String? {
        do {
            try await run([statement], at: url, schema: schema)
            return nil
        } catch let error as PostgresError {
            return error.sqlState?.rawValue ?? "\(error)"
        }
    }
}
