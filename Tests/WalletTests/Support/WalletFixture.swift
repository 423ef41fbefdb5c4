import AsyncHTTPClient
import Contracts
import Foundation
import Hummingbird
import HummingbirdTesting
import LiveMarkets
import Logging
import Messaging
import NIOCore
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

/// The service in one process: its routes without sockets, its worker, a database of its own, and the sandbox's payment
/// provider.
struct WalletFixture: Sendable {
    static let webhookSecret = "whsec_of_the_wallet_tests"

    let pool: PostgresPool
    let parts: WalletParts
    let sandbox: SandboxServer
    let http: any TestClientProtocol
    let people: People
    let logs: LogCapture

    /// - Parameters:
    ///   - workers: how many payment workers run meanwhile.
    ///   - lifetime: of authorisations.
    static func run(
        workers: Int = 1, tries: Int = 3, lifetime: Duration = .seconds(7 * 86_400),
        _ body: @escaping @Sendable (WalletFixture) async throws -> Void
    ) async throws {
        try await SandboxServer.withServer { sandbox, url in
            try await TestDatabase.withDatabase(WalletService.migrations) { database in
                try await database.withPool(maximum: 12) { pool in
                    let client = PaymentProvider.makeClient()
                    do {
                        try await run(workers, tries, lifetime, sandbox, url, pool, client, body)
                        try await client.shutdown()
                    } catch {
                        try await client.shutdown()
                        throw error
                    }
                }
            }
        }
    }

    private static func run(
        _ workers: Int, _ tries: Int, _ lifetime: Duration, _ sandbox: SandboxServer, _ url: String,
        _ pool: PostgresPool, _ client: HTTPClient, _ body: @escaping @Sendable (WalletFixture) async throws -> Void
    ) async throws {
        let logs = LogCapture()
        let people = try await People()
        let parts = parts(
            url: url, sandbox.settings.apiKey, pool, client, tries: tries, lifetime: lifetime, logger: logs.logger)
        var settings = HTTPSettings()
        settings.callerRate = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        settings.addressRate = settings.callerRate
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in WalletService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let server = HTTPServer(
            settings: settings, health: Health(logger: logs.logger), registry: PrometheusRegistry(),
            catalogue: catalogue, verifier: people.verifier, logger: logs.logger
        ) {
            ServiceAssembly<WalletService>.addRoutes(of: WalletService.features(parts), pool: pool, to: $0)
        }
        let working = (0..<workers).map { _ in Task { try await parts.paymentWorker.run() } }
        defer { for worker in working { worker.cancel() } }
        try await server.testApplication.test(.router) { http in
            try await body(
                WalletFixture(pool: pool, parts: parts, sandbox: sandbox, http: http, people: people, logs: logs))
        }
        for worker in working {
            worker.cancel()
            try await worker.value
        }
    }

    static func parts(
        url: String, _ key: String, _ pool: PostgresPool, _ client: HTTPClient, tries: Int,
        lifetime: Duration = .seconds(7 * 86_400), logger: Logger
    ) -> WalletParts {
        let secret = Redacted(String(repeating: "s", count: 32))
        var worker = PaymentWorker.Settings()
        worker.triesBeforeGivingUp = tries
        let merchant = ApplePayMerchant.Settings(merchant: "merchant.test", domain: "serai.example", gateway: url)
        return WalletParts(
            pool: pool,
            provider: PaymentProvider(settings: .init(url: url, key: Redacted(key)), client: client),
            markets: LiveMarkets(pool: pool, logger: logger), idempotency: IdempotencyStore(pool: pool, secret: secret),
            sealer: CursorSealer(secret: secret), signature: WebhookSignature(secret: Redacted(webhookSecret)),
            worker: worker, authorisationLifetime: lifetime, clock: { Date() }, logger: logger,
            applePay: ApplePayMerchant(settings: merchant, client: client, logger: logger))
    }

    /// Runs a payment worker while `body` does.
    func working(_ body: () async throws -> Void) async throws {
        let worker = Task { [parts] in try await parts.paymentWorker.run() }
        do {
            try await body()
        } catch {
            worker.cancel()
            throw error
        }
        worker.cancel()
        try await worker.value
    }

    // MARK: The outside world

    /// Lets the service hear an event's snapshot, as its message handlers do.
    func hear(_ order: OrderSnapshot) async throws {
        let follow = ApplyOrderSnapshot(
            settings: { [markets = parts.markets] in markets.settings(of: $0) }, logger: parts.logger)
        try await pool.withTransaction { transaction in try await follow(order, at: Date(), in: transaction) }
    }

    /// Puts money into a wallet without a card.
    func give(_ amount: Int, to person: Person, currency: String = "SAR") async throws {
        let topUp = TopUp(
            id: .timeOrdered(), account: person.account, market: "assef", currency: currency, amount: amount, holder: ""
        )
        try await pool.withTransaction { transaction in
            _ = try await Ledger.post([Transfers.topUp(topUp, id: .timeOrdered())], in: transaction)
        }
    }

    func balance(_ person: Person, currency: String = "SAR") async throws -> Int {
        try await pool.query(ListBalances(account: person.account)).first { $0.currency == currency }?.amount ?? 0
    }

    /// The state as it is stored.
    func state(of order: OrderSnapshot) async throws -> PaymentState? {
        try await pool.first(FindPayment(order: order.order))?.state
    }

    func eventually(_ order: OrderSnapshot, is wanted: PaymentState) async throws {
        try await TestKit.eventually("the payment is \(wanted)", value: { try await state(of: order) }) { $0 == wanted }
    }

    /// The events told about something, oldest first, by the last words of their names.
    func told(about aggregate: UUID) async throws -> [String] {
        try await pool.query(ListTold(aggregate: aggregate.text))
    }

    /// Fails unless the whole ledger is sound.
    func expectSound(_ place: SourceLocation = #_sourceLocation) async throws {
        let check = try await LedgerCheck.whole(pool)
        #expect(check.isSound, "\(check.report)", sourceLocation: place)
    }

    /// A new order of the market assef, just accepted.
    func accepted(_ customer: Person, _ provider: Person, amount: Int = 12_000) async throws -> OrderSnapshot {
        let order = Orders.accepted(by: customer, provider, amount: amount)
        try await hear(order)
        return order
    }
}

private struct ListTold: Statement {
    static let sql: SQL = "SELECT name FROM outbox WHERE aggregate = $1 ORDER BY seq"
    let aggregate: String
    func bind(_ bindings: inout Bindings) { bindings.append(aggregate) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String {
        let name: String = try row.next()
        return String(name.split(separator: ".")[2])
    }
}

/// Log lines in memory.
final class LogCapture: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "wallet") { _ in Handler(capture: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let capture: LogCapture
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            capture.lines.withLock { $0.append("\(event.level) \(event.message) \(all)") }
        }
    }
}
