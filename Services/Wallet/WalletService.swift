import AMQP
import ArgumentParser
import AsyncHTTPClient
import Contracts
import LiveMarkets
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit

struct WalletService: RepublishingService, RebuildingService {
    static let name = "wallet"
    static let about = "Holds, divides and gives back money, in a ledger of double entry."
    static let keys = WalletConfiguration.all
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations
        + AccountDeletionGuard.migrations
        + LiveMarkets.migrations + WalletMigrations.all + [.appendOnly()]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    /// The OpenAPI document.
    static let document: [UInt8] = PackageResources.openapi_yaml
    static let commands: [any AsyncParsableCommand.Type] = [
        VerifyCommand.self, RepublishMethodsCommand.self, MeasureCommand.self, RepublishCommand<Self>.self,
        RebuildCommand<Self>.self,
    ]

    static let copies = [
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) }
    ]

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        RepublishMoney(pool: pool, markets: LiveMarkets(pool: pool, logger: logger)).kinds
    }

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        let (pool, database) = try bootstrap.database(
            on: PollThread(name: "postgres"), settings: PostgresConfiguration.rowsByIndex)
        let client = PaymentProvider.makeClient()
        let parts = try parts(bootstrap, pool, client)

        let checks = try await bootstrap.tokenChecks(pool)
        var handlers = parts.handlers
        handlers.on(SessionsEnded.self) { received, transaction in
            checks.ended.keep(received.message.sessions, until: received.message.until, in: transaction)
        }
        let topology = ServiceTopology(service: name)
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: bootstrap.logger)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared,
            logger: bootstrap.logger)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, logger: bootstrap.logger)
        let ledger = try ledgerCommands(bootstrap, pool, publisher)
        let http = try bootstrap.http(on: pool.thread, verifier: checks.verifier) { router in
            router.addOpenAPI(service: name, document: document)
            WalletRoutes(parts: parts).add(to: router)
        }
        return [
            database,
            ServiceComponent(
                "payment provider", stage: .database,
                ClosingService {
                    // try?: the process ends; what the client still holds ends with it.
                    try? await client.shutdown()
                }),
            publishing,
            ServiceComponent("relay", stage: .relay, relay),
            ServiceComponent("markets", stage: .relay, parts.markets) { try await parts.markets.loaded() },
            ServiceComponent("consumer", stage: .consumers, runner),
            ServiceComponent("ledger commands", stage: .consumers, ledger),
            ServiceComponent("fines", stage: .background, parts.fineRunner),
            ServiceComponent("debts", stage: .background, parts.debtRunner),
            ServiceComponent("subscriptions", stage: .background, parts.subscriptionRunner),
            ServiceComponent("payments without their customer", stage: .background, parts.unattendedRunner),
            ServiceComponent("hold expiries", stage: .background, parts.holdExpiryRunner),
            ServiceComponent("payment worker", stage: .background, parts.paymentWorker),
            ServiceComponent("payout worker", stage: .background, parts.payoutWorker),
            ServiceComponent("removal worker", stage: .background, parts.removalWorker),
            ServiceComponent(
                "card expiry", stage: .background, CardExpiryPass(pool: pool, logger: bootstrap.logger)),
            ServiceComponent(
                "promo codes", stage: .background,
                PromoCodePass(pool: pool, markets: parts.markets, logger: bootstrap.logger)),
            ServiceComponent(
                "webhook purge", stage: .background, WebhookPurge(pool: pool, logger: bootstrap.logger)),
            ServiceComponent("retention", stage: .background, parts.retentionPass),
            ServiceComponent(
                "idempotency purge", stage: .background, IdempotencyPurge(parts.idempotency, logger: bootstrap.logger)),
            http.component,
        ] + checks.components
    }

    /// Performs what other services ask of the ledger.
    private static func ledgerCommands(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ publisher: Publisher
    ) throws -> ConsumerRunner {
        let handlers = LedgerHandlers.make()
        let topology = ServiceTopology(service: name)
        var settings = ConsumerRunner.Configuration()
        settings.workers = try bootstrap.configuration[WalletConfiguration.ledgerWorkers]
        settings.batchLimit = try bootstrap.configuration[WalletConfiguration.ledgerBatch]
        // A set takes all its locks at once, in their own order; its commands count in the order in which they came.
        settings.keepsQueueOrder = true
        // A batch for each worker, and the next one on its way.
        let consumer = Consumer(
            try bootstrap.broker(purpose: "ledger commands"), queue: topology.commandsQueue,
            topology: topology.commands(handlers.names), prefetch: 2 * settings.workers * settings.batchLimit,
            logger: bootstrap.logger)
        return ConsumerRunner(
            queue: topology.commandsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, configuration: settings, logger: bootstrap.logger)
    }

    private static func parts(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ client: HTTPClient
    ) throws -> WalletParts {
        let configuration = bootstrap.configuration
        let settings = PaymentProvider.Settings(
            url: try configuration[WalletConfiguration.providerURL],
            key: try configuration[WalletConfiguration.providerKey],
            returnURL: try configuration[WalletConfiguration.returnURL],
            tokenLimit: .seconds(try configuration[WalletConfiguration.tokenSeconds]),
            chargeLimit: .seconds(try configuration[WalletConfiguration.chargeSeconds]))
        var worker = PaymentWorker.Settings()
        worker.concurrency = try configuration[WalletConfiguration.concurrency]
        worker.triesBeforeGivingUp = try configuration[WalletConfiguration.tries]
        worker.lease = settings.chargeLimit + .seconds(20)
        return WalletParts(
            pool: pool, provider: PaymentProvider(settings: settings, client: client),
            markets: LiveMarkets(pool: pool, logger: bootstrap.logger),
            idempotency: try bootstrap.idempotencyStore(pool), sealer: try bootstrap.cursorSealer(),
            signature: WebhookSignature(secret: try configuration[WalletConfiguration.webhookSecret]), worker: worker,
            authorisationLifetime: .seconds(3_600 * (try configuration[WalletConfiguration.authorisationHours])),
            logger: bootstrap.logger)
    }
}
