import AsyncHTTPClient
import Foundation
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import Postgres
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

/// The whole service, listening, on a database and a virtual host of its own.
struct AdminFixture: Sendable {
    let port: Int
    /// Of the service's schema.
    let pool: PostgresPool
    let broker: VirtualHost
    let tokens: TestTokens
    let master: TestCaller
    /// Of the market assef.
    let admin: TestCaller

    /// Runs the service while `body` does, and expects a clean end.
    ///
    /// - Parameter settings: of its environment, beside those that it needs.
    static func running(
        settings: [String: String] = [:], _ body: (AdminFixture) async throws -> Void
    ) async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await TestBroker.withVirtualHost { broker in
                try await database.withPool { pool async throws in
                    let tokens = try await TestTokens()
                    let bootstrap = try bootstrap(database, broker, tokens, settings)
                    let assembly = try await ServiceAssembly<AdminService>(bootstrap)
                    try await running(assembly.components, bootstrap) {
                        let port = try await assembly.server.addresses().port
                        let fixture = AdminFixture(
                            port: port, pool: pool, broker: broker, tokens: tokens,
                            master: TestCaller(roles: [MarketRole(market: "*", role: "admin")]),
                            admin: TestCaller(roles: [MarketRole(market: "assef", role: "admin")]))
                        try await body(fixture)
                    }
                }
            }
        }
    }

    private static func bootstrap(
        _ database: TestDatabase, _ broker: VirtualHost, _ tokens: TestTokens, _ settings: [String: String]
    ) throws -> ServiceBootstrap {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in AdminService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let environment = [
            "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": broker.url, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_SHUTDOWN_DRAIN_MILLISECONDS": "0",
            "SERAI_HTTP_RATE_CALLER_PER_SECOND": "100000", "SERAI_HTTP_RATE_CALLER_BURST": "100000",
            "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "100000",
            "SERAI_TOKENS_KEYS": tokens.keySetJSON, "SERAI_TOKENS_ISSUER": TestTokens.issuer,
            "SERAI_TOKENS_AUDIENCE": TestTokens.audience, "SERAI_CONTENT_SEEDS": "false",
        ]
        // The schema is the name's; the test database has its tables in one of its own.
        return ServiceBootstrap(
            name: TestDatabase.schema,
            configuration: try ServiceConfiguration(
                keys: AdminService.allKeys, arguments: [], environment: environment.merging(settings) { $1 }),
            logger: TestThreads.logger, registry: PrometheusRegistry(), catalogue: catalogue,
            migrations: AdminService.migrations)
    }

    private struct RunnerService: Service {
        let runner: ServiceRunner
        let done: @Sendable (ServiceRunner.Outcome) -> Void
        func run() async throws { done(await runner.run()) }
    }

    private static func running(
        _ components: [ServiceComponent], _ bootstrap: ServiceBootstrap, _ body: () async throws -> Void
    ) async throws {
        let runner = ServiceRunner(
            components: components, health: bootstrap.health, grace: .seconds(60), logger: bootstrap.logger
        ) { Issue.record("ended by force") }
        let outcome = Mutex<ServiceRunner.Outcome?>(nil)
        let service = RunnerService(runner: runner) { ended in outcome.withLock { $0 = ended } }
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

    // MARK: HTTP

    /// - Parameter caller: nil sends no token.
    func send(
        _ method: HTTPMethod = .GET, _ path: String, as caller: TestCaller?, body: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> TestAnswer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        if let caller { request.headers.add(name: "authorization", value: "Bearer \(try await tokens.token(caller))") }
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return TestAnswer(
            status: Int(response.status.code), headers: response.headers,
            text: String(buffer: try await response.body.collect(upTo: 64 << 20)))
    }

    /// Sends a file as an admin of assef.
    func upload(
        _ path: String, _ bytes: [UInt8], as type: String, headers: [String: String] = [:]
    ) async throws -> TestAnswer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .PUT
        request.headers.add(name: "authorization", value: "Bearer \(try await tokens.token(admin))")
        request.headers.add(name: "content-type", value: type)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: bytes))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return TestAnswer(
            status: Int(response.status.code), headers: response.headers,
            text: String(buffer: try await response.body.collect(upTo: 64 << 20)))
    }

    /// What a 200 answers.
    func read(_ path: String, as caller: TestCaller? = nil) async throws -> JSONValue {
        let answer = try await send(.GET, path, as: caller ?? admin)
        #expect(answer.status == 200, "\(path): \(answer.text)")
        return try answer.json
    }

    /// The audit log without what only looked.
    func acts(as caller: TestCaller? = nil) async throws -> [JSONValue] {
        try await read("/admin/v1/audit?viewed=true", as: caller).items.filter {
            $0["action"]?.string?.hasPrefix("list.") == false
        }
    }

    func set(
        _ key: String, to value: String, version: Int? = nil, as caller: TestCaller? = nil,
        headers: [String: String] = [:]
    ) async throws -> TestAnswer {
        var body: [String: JSONValue] = ["value": .string(value)]
        if let version { body["version"] = .integer(Int64(version)) }
        let text = String(decoding: try JSONEncoder().encode(JSONValue.object(body)), as: UTF8.self)
        return try await send(
            .PUT, "/admin/v1/markets/assef/settings/\(key)", as: caller ?? admin, body: text, headers: headers)
    }

    // MARK: Events of other services

    /// Publishes an event as its service would.
    func tell<M: Message>(_ message: M, id: UUID = .timeOrdered()) async throws {
        let body = try JSON.wire.text(message)
        var properties = MessageProperties()
        properties.messageID = id.text
        properties.type = M.name.text
        properties.appID = M.name.service
        properties.contentType = "application/json"
        let sent = properties
        try await eventually("\(M.name) is bound") {
            try await broker.publish(body, exchange: M.name.service, routingKey: M.name.text, properties: sent)
        }
    }
}
