import Foundation
import LocalPlatform
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
    private let accounts = ServiceAccounts.generated()
    private let server: ServerAddress
    private let brokerServer: ServerAddress

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
        server = try ServerAddress(postgres.url)
        brokerServer = try ServerAddress(broker.url)
        database = TestDatabase(dsn: server.url(database: Self.name), name: Self.name)
        try await run(["CREATE DATABASE \(Self.name)"], at: postgres.url)
        try await setUp()
    }

    /// Runs `deploy/setup`, as every start of a deployment does.
    func setUp() async throws {
        try await accounts.setUp(
            superuser: server, database: Self.name, management: broker.managementURL, in: .current)
    }

    // MARK: Whom the services are

    /// What `deploy/env/<service>-owner.env` says.
    func migrating(_ service: String) -> [String: String] { ["SERAI_DATABASE_URL": url(ofOwnerOf: service)] }

    /// The variables of `deploy/env/<service>.env`.
    func url(of service: String, in database: String = name) -> String {
        accounts.database(of: service, at: server, database: database)
    }

    func url(ofOwnerOf service: String) -> String {
        accounts.database(ofOwnerOf: service, at: server, database: Self.name)
    }

    func amqp(_ service: String) -> String { accounts.broker(of: service, at: brokerServer) }

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

    /// How a service's session plans, with settings of its own: `jit`, `enable_seqscan`, `plan_cache_mode`.
    func planning(of service: String, _ settings: [String: String] = [:]) async throws -> [String] {
        var connection = PostgresConfiguration(dsn: url(of: service), schema: service)
        connection.settings = settings
        let pool = PostgresPool(
            PostgresPool.Configuration(connection), thread: TestThreads.postgres, logger: TestThreads.logger)
        do {
            let words = try await pool.query(ShowPlanning())
            await pool.close()
            return words
        } catch {
            await pool.close()
            throw error
        }
    }

    private struct ShowPlanning: Statement {
        static let sql: SQL = """
            SELECT current_setting(name)
            FROM unnest('{jit, enable_seqscan, plan_cache_mode}'::text[]) WITH ORDINALITY AS asked (name, number)
            ORDER BY number
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
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
