import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit

/// The parts that routes, handlers and workers share.
struct WalletParts: Sendable {
    let pool: PostgresPool
    let provider: PaymentProvider
    let markets: LiveMarkets
    let idempotency: IdempotencyStore
    let sealer: CursorSealer
    let signature: WebhookSignature
    let worker: PaymentWorker.Settings
    /// How long the payment provider keeps an authorisation.
    let authorisationLifetime: Duration
    let clock: @Sendable () -> Date
    let logger: Logger
    var ledgerCommands: CommandHandling?
    /// Nil where the deployment is no merchant of Apple Pay.
    var applePay: ApplePayMerchant?

    /// Of this moment.
    func settings(of market: Market) -> MarketSettings { markets.settings(of: market.id) ?? market.defaults }

    var chargeByConsent: ChargeByConsent {
        ChargeByConsent(
            settings: { [markets] in markets.settings(of: $0) }, lifetime: authorisationLifetime)
    }

    var payoutWorker: PayoutWorker {
        PayoutWorker(pool: pool, provider: provider, lease: worker.lease, clock: clock, logger: logger)
    }

    var paymentWorker: PaymentWorker {
        PaymentWorker(pool: pool, provider: provider, settings: worker, clock: clock, logger: logger)
    }

    var retentionPass: RetentionPass { RetentionPass(pool: pool, markets: markets, clock: clock, logger: logger) }

    var removalWorker: RemovalWorker { RemovalWorker(pool: pool, provider: provider, logger: logger) }
}

extension WalletParts {
    init(_ base: ServiceBase) throws {
        let configuration = base.bootstrap.configuration
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
        self.init(
            pool: base.pool, provider: PaymentProvider(settings: settings, client: PaymentProvider.makeClient()),
            markets: LiveMarkets(pool: base.pool, logger: base.bootstrap.logger), idempotency: base.idempotency,
            sealer: base.cursors,
            signature: WebhookSignature(secret: try configuration[WalletConfiguration.webhookSecret]), worker: worker,
            authorisationLifetime: .seconds(3_600 * (try configuration[WalletConfiguration.authorisationHours])),
            clock: base.clock, logger: base.bootstrap.logger,
            ledgerCommands: try Self.ledgerCommands(configuration, clock: base.clock),
            applePay: try ApplePayMerchant(configuration, logger: base.bootstrap.logger))
    }

    /// How the ledger performs the commands of other services.
    private static func ledgerCommands(
        _ configuration: ServiceConfiguration, clock: @escaping @Sendable () -> Date
    ) throws -> CommandHandling {
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = try configuration[WalletConfiguration.ledgerWorkers]
        consuming.batchLimit = try configuration[WalletConfiguration.ledgerBatch]
        // A set takes all its locks at once, in their own order; its commands count in the order in which they came.
        consuming.keepsQueueOrder = true
        // A batch for each worker, and the next one on its way.
        return CommandHandling(
            LedgerHandlers(clock: clock).make(), configuration: consuming,
            prefetch: 2 * consuming.workers * consuming.batchLimit)
    }
}

extension WalletParts {
    /// The current payment methods of a payment. A hire has no provider, so nobody would take the cash.
    func methods(for payment: Payment) -> [String] {
        let allowed = markets.settings(of: payment.market)?.paymentMethods ?? []
        guard payment.provider == nil, Market.named(payment.market)?.takesCash == false else { return allowed }
        return allowed.filter { $0 != PaymentMethod.cash.rawValue }
    }
}
