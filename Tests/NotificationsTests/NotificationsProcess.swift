import AsyncHTTPClient
import Foundation
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

/// A whole process of the service, composed as its program composes it, in this one.
final class NotificationsProcess: Sendable {
    let port: Int
    let hub: StreamHub
    let world: World
    private let group: ServiceGroup
    private let running: Task<Void, any Error>
    private let outcome: Outcome
    private let log: PortLog

    private final class Outcome: Sendable {
        private let value = Mutex<ServiceRunner.Outcome?>(nil)
        func set(_ outcome: ServiceRunner.Outcome) { value.withLock { $0 = outcome } }
        var current: ServiceRunner.Outcome? { value.withLock { $0 } }
    }

    /// Ends when its runner does, which is told of the shutdown by the group around it.
    private struct Running: Service {
        let runner: ServiceRunner
        let outcome: Outcome
        func run() async throws { outcome.set(await runner.run()) }
    }

    /// - Parameter adjust: changes limits that no setting changes.
    static func start(
        _ world: World, _ settings: [String: String] = [:], _ adjust: (inout StreamLimits) -> Void = { _ in }
    ) async throws -> NotificationsProcess {
        let log = PortLog()
        let logger = Logger(label: "notifications") { _ in log }
        let environment = [
            "SERAI_DATABASE_URL": world.database.dsn, "SERAI_AMQP_URL": world.broker.url, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
            "SERAI_TOKENS_KEYS": world.tokens.keySetJSON, "SERAI_TOKENS_ISSUER": World.issuer,
            "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
            "SERAI_HTTP_RATE_CALLER_PER_SECOND": "10000", "SERAI_HTTP_RATE_CALLER_BURST": "10000",
            "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "10000", "SERAI_HTTP_RATE_ADDRESS_BURST": "10000",
            "SERAI_SHUTDOWN_DRAIN_MILLISECONDS": "0", "SERAI_DATABASE_POOL_SIZE": "6",
        ].merging(settings) { $1 }
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in NotificationsService.catalogues { try catalogue.add(language, json: json) }
        let bootstrap = ServiceBootstrap(
            name: NotificationsService.name,
            configuration: try ServiceConfiguration(
                keys: NotificationsService.allKeys, arguments: [], environment: environment),
            logger: logger, registry: PrometheusRegistry(), catalogue: catalogue,
            migrations: NotificationsService.migrations)
        var limits = try NotificationsConfiguration.limits(bootstrap.configuration)
        adjust(&limits)
        let hub = StreamHub(limits: limits)
        let outcome = Outcome()
        let runner = ServiceRunner(
            components: try await ServiceAssembly<NotificationsService>(
                bootstrap, parts: { NotificationsParts($0, hub: hub) }
            ).components, health: bootstrap.health,
            grace: .seconds(60), logger: logger
        ) { Issue.record("ended by force") }
        let group = ServiceGroup(services: [Running(runner: runner, outcome: outcome)], logger: logger)
        let running = Task { try await group.run() }
        try await eventually("the service is ready") { await bootstrap.health.report().isReady }
        return NotificationsProcess(
            port: try #require(log.port), hub: hub, world: world, group: group, running: running, outcome: outcome,
            log: log)
    }

    private init(
        port: Int, hub: StreamHub, world: World, group: ServiceGroup, running: Task<Void, any Error>, outcome: Outcome,
        log: PortLog
    ) {
        self.port = port
        self.hub = hub
        self.world = world
        self.group = group
        self.running = running
        self.outcome = outcome
        self.log = log
    }

    /// Begins the shutdown, as SIGTERM does.
    func beginStopping() async { await group.triggerGracefulShutdown() }

    /// Shuts down in order, and expects it to end so.
    func stop() async throws {
        await beginStopping()
        // The runner ends before the group that it is in expects it to; its outcome is what counts.
        _ = await running.result
        #expect(outcome.current == .success, "\(log.errors)")
    }

    // MARK: Requests

    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: [String: Any] {
            get throws { try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] }
        }
        /// Of a problem.
        var slug: String {
            get throws { String((try json["type"] as? String ?? "").dropFirst("urn:serai:problem:".count)) }
        }
    }

    func request(
        _ method: String, _ path: String, token: String?, headers: [(String, String)] = [], body: String? = nil,
        isChunked: Bool = false
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .init(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            let bytes = ByteBuffer(string: body)
            request.body = isChunked ? .stream(Self.chunks(bytes), length: .unknown) : .bytes(bytes)
        }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
        let bytes = try await response.body.collect(upTo: 10_000_000)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(bytes.readableBytesView))
    }

    /// With a file as its body.
    func upload(_ method: String, _ path: String, token: String?, type: String, bytes: [UInt8]) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .init(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        request.headers.add(name: "Content-Type", value: type)
        request.body = .bytes(ByteBuffer(bytes: bytes))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
        let answer = try await response.body.collect(upTo: 10_000_000)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(answer.readableBytesView))
    }

    private static func chunks(_ bytes: ByteBuffer) -> AsyncStream<ByteBuffer> {
        AsyncStream { continuation in
            continuation.yield(bytes)
            continuation.finish()
        }
    }

    /// Opens a stream and waits for its first event.
    func stream(
        _ account: UUID, session: UUID = .timeOrdered(), after: Int? = nil, lifetime: Double = 600,
        language: String? = nil
    ) async throws -> StreamClient {
        let token = try await world.token(account, session: session, lifetime: lifetime, language: language)
        let client = StreamClient(port: port, token: token, after: after)
        try await eventually("the stream is ready") { client.events.first?.name == "ready" }
        return client
    }

    /// The caller's inbox.
    func inbox(_ account: UUID) async throws -> [InboxEntry] {
        let answer = try await request(
            "GET", "/notifications/v1/inbox?limit=100", token: try await world.token(account))
        #expect(answer.status == 200)
        return try JSON.answer.decode(InboxPage.self, answer.body).items
    }
}

struct InboxPage: Decodable {
    let items: [InboxEntry]
    let next: String?
}

struct InboxEntry: Decodable, Equatable {
    let id: UUID
    let topic: String
    let subject: String
    let content: String
    let at: Date
    let order: UUID?
    let read: Bool
}

/// Catches the port that the server says it listens on; errors are told.
private final class PortLog: LogHandler, Sendable {
    private let found = Mutex<Int?>(nil)
    private let said = Mutex<[String]>([])
    var port: Int? { found.withLock { $0 } }
    /// Its errors, for the failure of a test.
    var errors: [String] { said.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .notice }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        if event.level >= .error { said.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") } }
        guard event.message == "listening", let text = event.metadata?[LogKeys.port] else { return }
        found.withLock { $0 = Int("\(text)") }
    }
}
