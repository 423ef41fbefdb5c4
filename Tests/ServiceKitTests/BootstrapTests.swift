import AMQP
import Foundation
import Logging
import PollThread
import Postgres
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("Bootstrap of a service", .timeLimit(.minutes(15)))
struct BootstrapTests {
    @Test("ready tells of database, migrations and broker, each as it is")
    func readiness() async throws {
        try await TestDatabase.withDatabase { database in
            try await TestBroker.withVirtualHost { broker in
                let bootstrap = try Self.bootstrap(database: database.dsn, broker: broker.url)
                let thread = PollThread(name: "bootstrap")
                defer { thread.stop() }
                let (pool, databaseComponent) = try bootstrap.database(on: thread)
                let (_, publisher) = try bootstrap.publisher(topology: Topology())
                try await Self.running([databaseComponent, publisher], bootstrap) {
                    try await eventually("the broker is connected") {
                        await bootstrap.health.report().outcomes["broker"]?.isHealthy == true
                    }
                    #expect(
                        await bootstrap.health.report().outcomes.mapValues(\.isHealthy)
                            == ["database": true, "migrations": false, "broker": true])
                    try await Migrator(pool, IdempotencyStore.migrations, logger: bootstrap.logger).migrate()
                    try await eventually("everything is ready") { await bootstrap.health.report().isReady }
                }
            }
        }
    }

    @Test("the key set comes from the configuration, inline or by file, and there has to be one")
    func tokens() async throws {
        let tokens = try await TokenFixture()
        let file = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString).json")
        try Data(tokens.signer.keySetJSON.utf8).write(to: file)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        let settings = [
            "SERAI_TOKENS_ISSUER": TokenFixture.issuer, "SERAI_TOKENS_AUDIENCE": TokenFixture.audience,
        ]
        for keys in [
            ["SERAI_TOKENS_KEYS": tokens.signer.keySetJSON],
            ["SERAI_TOKENS_KEYS_FILE": file.path(percentEncoded: false)],
        ] {
            let verifier = try await Self.bootstrap(settings.merging(keys) { $1 }).tokenVerifier()
            #expect(try await verifier.verify(tokens.currentToken()).accountID == tokens.account)
        }
        await #expect(throws: ConfigurationError.self) { try await Self.bootstrap(settings).tokenVerifier() }
        await #expect(throws: TokenKeySet.LoadError.notAKeySet) {
            try await Self.bootstrap(settings.merging(["SERAI_TOKENS_KEYS": "{}"]) { $1 }).tokenVerifier()
        }
    }

    @Test("Q2: sessions of late reads write nothing, also where the primary answers for a replica")
    func lateReads() async throws {
        try await TestDatabase.withDatabase { database in
            let thread = PollThread(name: "late")
            defer { thread.stop() }
            let bootstrap = try Self.bootstrap(["SERAI_DATABASE_LATE_URL": database.dsn])
            let pool = try #require(try bootstrap.lateReads(on: thread))
            let refusal = await #expect(throws: PostgresError.self) { _ = try await pool.execute(MakeTable()) }
            #expect(refusal?.sqlState == .readOnlyTransaction)
            await pool.close()
            #expect(try Self.bootstrap([:]).lateReads(on: thread) == nil)
        }
    }

    @Test("Q6: with an authority's file the broker is spoken to by TLS alone, and has to prove its name")
    func brokerAuthority() throws {
        for address in ["amqp://u:p@rabbitmq:5672/", "amqps://u:p@rabbitmq/?heartbeat=2"] {
            let bootstrap = try Self.bootstrap(broker: address, ["SERAI_AMQP_AUTHORITY_FILE": "/tls/ca.pem"])
            let tls = try #require(try bootstrap.broker(purpose: "publisher").url.tls)
            #expect(tls.authorityFile == "/tls/ca.pem")
            #expect(tls.verifiesPeer)
        }
        #expect(try Self.bootstrap([:]).broker(purpose: "publisher").url.tls == nil)
    }

    private struct MakeTable: Statement {
        static let sql: SQL = "CREATE TABLE public.written (number int)"
    }

    private static func bootstrap(
        database: String = "postgresql://u@127.0.0.1:1/none", broker: String = "amqp://u:p@127.0.0.1:1/",
        _ environment: [String: String] = [:]
    ) throws -> ServiceBootstrap {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let values = [
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": broker,
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
        ]
        return ServiceBootstrap(
            name: "sample",
            configuration: try ServiceConfiguration(
                keys: CommonKeys.all + [CommonKeys.lateDatabaseURL.erased], arguments: [],
                environment: values.merging(environment) { $1 }),
            logger: logger, registry: PrometheusRegistry(), catalogue: try .common(),
            migrations: IdempotencyStore.migrations)
    }

    private static func bootstrap(_ environment: [String: String]) throws -> ServiceBootstrap {
        try bootstrap(database: "postgresql://u@127.0.0.1:1/none", environment)
    }

    /// Runs the components while `body` does, and expects a clean end.
    private static func running(
        _ components: [ServiceComponent], _ bootstrap: ServiceBootstrap, _ body: () async throws -> Void
    ) async throws {
        let runner = ServiceRunner(
            components: components, health: bootstrap.health, grace: .seconds(60), logger: bootstrap.logger
        ) { Issue.record("ended by force") }
        let outcome = Mutex<ServiceRunner.Outcome?>(nil)
        let service = ServiceRunnerTests.RunnerService(runner: runner) { ended in outcome.withLock { $0 = ended } }
        let group = ServiceGroup(services: [service], logger: bootstrap.logger)
        let running = Task { try await group.run() }
        var failure: (any Error)?
        do {
            try await body()
        } catch {
            failure = error
        }
        await group.triggerGracefulShutdown()
        // The runner ends before the group that it is in expects it to; its outcome is what counts.
        _ = await running.result
        if let failure { throw failure }
        #expect(outcome.withLock { $0 } == .success)
    }
}
