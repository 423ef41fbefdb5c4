import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit

/// What the service is made of, besides what runs: routes, handlers and the worker take what they need from here.
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
    let logger: Logger

    /// Of this moment.
    func settings(of market: Market) -> MarketSettings { markets.settings(of: market.id) ?? market.defaults }

    /// The handlers of the messages that this service hears.
    var handlers: MessageHandlers {
        let markets = markets
        return WalletHandlers.make(
            following: ApplyOrderSnapshot(
                settings: { markets.settings(of: $0) }, authorisationLifetime: authorisationLifetime, logger: logger))
    }

    var fineRunner: DeadlineRunner {
        DeadlineRunner(pool: pool, handlers: WalletDeadlines.fines, logger: logger)
    }

    var subscriptionRunner: DeadlineRunner {
        DeadlineRunner(pool: pool, handlers: WalletDeadlines.subscriptions, logger: logger)
    }

    var debtRunner: DeadlineRunner {
        DeadlineRunner(pool: pool, handlers: WalletDeadlines.debts, logger: logger)
    }

    var unattendedRunner: DeadlineRunner {
        let markets = markets
        let charge = ChargeByConsent(settings: { markets.settings(of: $0) }, lifetime: authorisationLifetime)
        return DeadlineRunner(pool: pool, handlers: WalletDeadlines.unattended(charge), logger: logger)
    }

    var payoutWorker: PayoutWorker {
        PayoutWorker(pool: pool, provider: provider, lease: worker.lease, logger: logger)
    }

    var holdExpiryRunner: DeadlineRunner {
        DeadlineRunner(pool: pool, handlers: WalletDeadlines.holdExpiries, logger: logger)
    }

    var paymentWorker: PaymentWorker {
        PaymentWorker(pool: pool, provider: provider, settings: worker, logger: logger)
    }

    var retentionPass: RetentionPass { RetentionPass(pool: pool, markets: markets, logger: logger) }

    var removalWorker: RemovalWorker { RemovalWorker(pool: pool, provider: provider, logger: logger) }
}

extension WalletParts {
    /// What it can be paid by now. Of a hire, which nobody is the provider of, nobody would take the cash.
    func methods(for payment: Payment) -> [String] {
        let allowed = markets.settings(of: payment.market)?.paymentMethods ?? []
        guard payment.provider == nil, Market.named(payment.market)?.takesCash == false else { return allowed }
        return allowed.filter { $0 != PaymentMethod.cash.rawValue }
    }
}
