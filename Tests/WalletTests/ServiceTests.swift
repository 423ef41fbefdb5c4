import AMQP
import AsyncHTTPClient
import Contracts
import Foundation
import HTTPTypes
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import PollThread
import Postgres
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

/// The composed service, with sockets, broker, workers and webhooks.
@Suite("The wallet as a service", .timeLimit(.minutes(15)))
struct ServiceTests {
    @Test("W6: an order heard from the broker is paid by card, captured and told, with each webhook sent three times")
    func wholeService() async throws {
        try await SandboxServer.withServer { sandbox, url in
            try await TestDatabase.withDatabase { database in
                try await TestBroker.withVirtualHost { broker in
                    try await Self.run(sandbox, url, database, broker)
                }
            }
        }
    }

    private static func run(
        _ sandbox: SandboxServer, _ url: String, _ database: TestDatabase, _ broker: VirtualHost
    ) async throws {
        let people = try await People()
        let logs = LogCapture()
        let bootstrap = try bootstrap(
            database.dsn, broker.url, people, url, sandbox.settings.apiKey, sandbox.settings.webhookSecret, logs.logger)
        let thread = PollThread(name: "wallet-test")
        defer { thread.stop() }
        let pool = try ServiceBootstrap.pool(
            name: WalletService.name, configuration: bootstrap.configuration, thread: thread, logger: bootstrap.logger)
        try await Migrator(pool, WalletService.migrations, logger: bootstrap.logger).migrate()
        try await listen(on: broker)
        try await running(bootstrap) {
            let (salem, noura) = (try await people.customer(), try await people.provider())
            let port = try await port(logs)
            sandbox.changeWebhooks {
                $0.url = "http://127.0.0.1:\(port)/wallet/v1/webhooks/stripe"
                $0.copies = 3
            }
            let caller = Caller(port: port)
            try await eventually("the service is ready") { try await caller.get("/health/ready", nil).status == 200 }
            let order = Orders.accepted(by: salem, noura)
            try await tell(OrderRequested(order: order.now(.requested, version: 1)), broker)
            let early = "/wallet/v1/orders/\(order.order.text)/payment"
            try await eventually("the order is known") { try await caller.get(early, salem).status == 200 }
            let refused = try await caller.post(early, salem, #"{"method": "cash"}"#)
            #expect(refused.status == 409 && refused.json["state"]?.string == "requested", "\(refused.text)")
            // Told three times, each as a message of its own.
            for _ in 0..<3 { try await tell(OrderAccepted(order: order, companion: nil), broker) }
            let path = "/wallet/v1/orders/\(order.order.text)/payment"
            try await eventually("the payment is due") {
                try await caller.get(path, salem).json["state"]?.string == "due"
            }
            let card = try await caller.post(
                "/wallet/v1/cards", salem,
                #"{"paymentMethod": "\#(try #require(sandbox.handOver("4242424242424242")))", "holder": "S S"}"#)
            let id = try #require(card.json["card"]?.string, "\(card.text)")
            let paid = try await caller.post(
                path, salem, #"{"method": "card", "card": "\#(id)", "cvvToken": "cvctok_test"}"#)
            #expect(paid.status == 202, "\(paid.text)")
            try await eventually("it is held") { try await caller.get(path, salem).json["state"]?.string == "held" }
            for _ in 0..<3 { try await tell(OrderCompleted(order: order.now(.completed)), broker) }
            try await eventually("it is captured") {
                try await caller.get(path, salem).json["state"]?.string == "captured"
            }
            try await eventually("all webhooks are taken") {
                sandbox.webhookCounts.pending == 0 && sandbox.webhookCounts.delivered == 6
            }
            try await eventually("all is told") { try await broker.queueDepth("heard") == 3 }
            let names = try await broker.get("heard", limit: 10).map(\.routingKey)
            #expect(names == ["wallet.method.changed.v1", "wallet.payment.held.v1", "wallet.payment.captured.v1"])
            let check = try await LedgerCheck.whole(pool)
            #expect(check.isSound && sandbox.totals["sar"]?.captured == 12_000, "\(check.report)")
        }
        await pool.close()
    }

    /// A queue that keeps all that the wallet says.
    private static func listen(on broker: VirtualHost) async throws {
        try await broker.declareQueue("heard")
        let everything = Topology(bindings: [Binding(queue: "heard", exchange: "wallet", routingKey: "#")])
        let binder = Publisher(
            try AMQPConfiguration(url: broker.url, connectionName: "heard"),
            topology: ServiceTopology(service: "wallet").exchanges.merging(everything), logger: TestThreads.logger)
        let binding = Task { try await binder.run() }
        try await eventually("the queue is bound") { binder.isConnected }
        await binder.close(within: .seconds(1))
        _ = await binding.result
    }

    /// As dispatch's relay would.
    private static func tell<M: Message>(_ message: M, _ broker: VirtualHost) async throws {
        let properties = TestKit.MessageProperties(
            messageID: UUID.timeOrdered().text, type: M.name.text, correlationID: message.aggregate, appID: "dispatch",
            contentType: "application/json")
        try await broker.publish(
            try JSON.wire.text(message), exchange: "dispatch",
            routingKey: M.name.text, properties: properties)
    }

    private static func bootstrap(
        _ dsn: String, _ amqp: String, _ people: People, _ url: String, _ key: String, _ secret: String,
        _ logger: Logger
    ) throws -> ServiceBootstrap {
        let environment = [
            "SERAI_DATABASE_URL": dsn, "SERAI_AMQP_URL": amqp, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_TOKENS_KEYS": people.keySetJSON,
            "SERAI_HTTP_RATE_CALLER_PER_SECOND": "10000", "SERAI_HTTP_RATE_CALLER_BURST": "10000",
            "SERAI_PAYMENT_PROVIDER_URL": url, "SERAI_PAYMENT_PROVIDER_KEY": key,
            "SERAI_PAYMENT_RETURN_URL": "http://127.0.0.1/payments", "SERAI_PAYMENT_WEBHOOK_SECRET": secret,
            "SERAI_SHUTDOWN_DRAIN_MILLISECONDS": "0",
        ]
        let configuration = try ServiceConfiguration(
            keys: WalletService.allKeys, arguments: [], environment: environment)
        return ServiceBootstrap(
            name: WalletService.name, configuration: configuration, logger: logger,
            registry: PrometheusRegistry(), catalogue: try .common(), migrations: WalletService.migrations)
    }

    /// Runs the composed service while `body` does, and expects a clean end.
    private static func running(_ bootstrap: ServiceBootstrap, _ body: () async throws -> Void) async throws {
        let components = try await WalletService.compose(bootstrap)
        let runner = ServiceRunner(
            components: components, health: bootstrap.health, grace: .seconds(60), logger: bootstrap.logger
        ) { Issue.record("ended by force") }
        let outcome = Mutex<ServiceRunner.Outcome?>(nil)
        let service = RunnerService(runner: runner) { ended in outcome.withLock { $0 = ended } }
        let group = ServiceGroup(services: [service], logger: bootstrap.logger)
        let running = Task { try await group.run() }
        var failure: (any Error)?
        do { try await body() } catch { failure = error }
        await group.triggerGracefulShutdown()
        // The runner ends before the group that it is in expects it to; its outcome is what counts.
        _ = await running.result
        if let failure { throw failure }
        #expect(outcome.withLock { $0 } == .success)
    }

    private struct RunnerService: Service {
        let runner: ServiceRunner
        let ended: @Sendable (ServiceRunner.Outcome) -> Void

        func run() async throws { ended(await runner.run()) }
    }

    /// Where it listens, as its log tells.
    private static func port(_ logs: LogCapture) async throws -> Int {
        try await eventually("it listens") { logs.text.contains("notice listening") }
        let match = try #require(logs.text.firstMatch(of: /notice listening .*"port": ([0-9]+)/))
        return try #require(Int(match.1))
    }

    @Test("W4: cards go to the payment provider over TLS, or stay on the machine or in its network")
    func providerAddress() {
        for good in [
            "https://api.stripe.com", "http://127.0.0.1:9000", "http://localhost:1", "http://sandbox:8085",
            "http://pay-1:1",
        ] {
            #expect(WalletConfiguration.providerURL.isAllowed(good), "\(good)")
        }
        for bad in [
            "http://2130706433", "http://0x7f000001", "http://[2001:db8::1]", "http://[::ffff:1.2.3.4]", "http://1:80",
            "http://a_b", "http://api.stripe.com", "https://a/b", "ftp://a", "api.stripe.com", "", "https://a?b=c",
        ] {
            #expect(!WalletConfiguration.providerURL.isAllowed(bad), "\(bad)")
        }
    }

    @Test("the service's words are the same in all languages, and its own keys are documented")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in WalletService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        #expect(
            WalletService.keys.allSatisfy {
                !$0.documentation.isEmpty && ["payment.", "ledger."].contains(where: $0.name.hasPrefix)
            })
        #expect(
            WalletService.keys.filter(\.isSecret).map(\.name) == ["payment.provider.key", "payment.webhook.secret"])
    }
}

/// Calls the service over a socket.
private struct Caller {
    struct Reply {
        let status: Int
        let text: String
        let json: JSONValue
    }

    let port: Int

    func get(_ path: String, _ person: Person?) async throws -> Reply {
        try await send(HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)"), person)
    }

    func post(_ path: String, _ person: Person, _ body: String) async throws -> Reply {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Idempotency-Key", value: UUID.timeOrdered().text)
        request.body = .bytes(ByteBuffer(string: body))
        return try await send(request, person)
    }

    private func send(_ request: HTTPClientRequest, _ person: Person?) async throws -> Reply {
        var request = request
        if let person { request.headers.add(name: "Authorization", value: "Bearer \(person.token)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        let text = String(buffer: try await response.body.collect(upTo: 1_000_000))
        // try?: what is no JSON has none.
        let json = (try? JSONValue(parsing: text.utf8)) ?? .null
        return Reply(status: Int(response.status.code), text: text, json: json)
    }
}
