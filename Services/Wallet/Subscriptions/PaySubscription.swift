import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Pays for a subscription or its renewal: at once from the wallet, or by card through a charge that the worker
/// continues. All changes happen under the subscription's row lock, so of two concurrent requests the second sees the
/// first one's result.
enum PaySubscription {
    /// How a period is paid.
    enum Means: Sendable {
        case wallet
        /// The stored card's id, and its instrument for the payment provider.
        case card(UUID, Instrument)

        var method: Subscription.Method { if case .wallet = self { .wallet } else { .card } }
        var instrument: Instrument? { if case .card(_, let instrument) = self { instrument } else { nil } }
    }

    /// Subscribes at the provider's request.
    ///
    /// - Parameters:
    ///   - price: the price that the provider was shown, in minor units.
    ///   - length: the period that the provider was shown; nil when the provider's program does not say it.
    /// - Throws: ``PlanChange``, ``Subscription/Refusal``, ``LedgerError/insufficientFunds``, ``AccountBlock``,
    ///   ``WalletFreeze``, ``AmountOutOfBounds``, ``Problem/accountLeaving``; a 422 ``Problem`` when the card was removed
    ///   meanwhile, a 429 ``Problem`` after too many refused cards.
    static func subscribe(
        _ account: UUID, to shown: SubscriptionPlan, for price: Int, period length: SubscriptionPlan.Period? = nil,
        by means: Means, renews: Bool, at: Date, in transaction: PostgresTransaction
    ) async throws -> (Subscription, SubscriptionPeriod) {
        try await AccountDeletionGuard.refuse(account, in: transaction)
        guard let plan = try await transaction.first(SharePlan(plan: shown.id)) else { throw PlanChange.ended }
        if let change = plan.change(since: price, period: length) { throw change }
        try await AccountBlock.refuse(account, in: plan.market, transaction)
        switch means {
        case .wallet: try await WalletFreeze.refuse(account, in: transaction)
        case .card: try AmountOutOfBounds.refuse(plan.price, plan.currency, .payment)
        }
        let fresh = Subscription(id: .timeOrdered(), account: account, market: plan.market, currency: plan.currency)
        let (_, found) = try await transaction.queryAll(
            InsertSubscription(subscription: fresh), LockSubscription(account: account, market: plan.market))
        var subscription = found.first ?? fresh
        let current = try await lastLength(of: subscription, in: transaction)
        if let refusal = subscription.refusal(at: at, of: current) { throw refusal }
        try await CardRemovalGuard.keep(means.instrument, of: account, in: transaction)
        let period = period(of: plan, subscription, means, isRenewal: false)
        if case .card(let card, _) = means {
            let wish = Subscription.Wish(renews: renews, card: card, at: at)
            return try await begin(period, of: subscription, by: means, wishing: wish, at: at, in: transaction)
        }
        subscription.choose(renews: renews, method: .wallet, card: nil, at: at)
        // Posted now, so that an insufficient balance is reported as a refusal.
        try await Ledger.post([Transfers.payFromWallet(period, id: .timeOrdered())], in: transaction)
        transaction.send(InsertPeriod(period: period, at: at))
        return try await start(period, of: subscription, at: at, in: transaction)
    }

    /// How long the last paid period is.
    private static func lastLength(
        of subscription: Subscription, in transaction: PostgresTransaction
    ) async throws -> SubscriptionPlan.Period? {
        guard let period = subscription.period else { return nil }
        return try await transaction.first(FindPeriod(period: period))?.length
    }

    /// Makes an unpaid period of the plan.
    static func period(
        of plan: SubscriptionPlan, _ subscription: Subscription, _ means: Means, isRenewal: Bool
    ) -> SubscriptionPeriod {
        SubscriptionPeriod(
            id: .timeOrdered(), subscription: subscription.id, account: subscription.account,
            market: subscription.market, plan: plan.id, planName: plan.name, length: plan.period,
            currency: plan.currency, price: plan.price, method: means.method, isRenewal: isRenewal)
    }

    /// Starts a charge for a period.
    ///
    /// - Parameter wish: the owner's choice about renewals, which counts once the charge succeeds; nil for a renewal.
    /// - Throws: a 429 ``Problem`` after too many refused cards; not for a renewal.
    @discardableResult
    static func begin(
        _ period: SubscriptionPeriod, of locked: Subscription, by means: Means, wishing wish: Subscription.Wish? = nil,
        at: Date, in transaction: PostgresTransaction
    ) async throws -> (Subscription, SubscriptionPeriod) {
        var subscription = locked
        guard case .card(_, let instrument) = means else { return (subscription, period) }
        subscription.wait(for: period.id, wishing: wish)
        let charge = Charge(
            id: .timeOrdered(), purpose: .subscription, subject: period.id, amount: period.price,
            currency: period.currency, with: instrument, madeAt: at)
        try await CardAttempts.begin(charge, of: period.account, in: transaction)
        transaction.send(InsertPeriod(period: period, at: at))
        transaction.send(UpdateSubscription(subscription: subscription))
        transaction.send(InsertCharge(charge: charge))
        try await store(period, of: subscription, at: at, in: transaction)
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return (subscription, period)
    }

    /// Applies the result of a period's charge.
    ///
    /// - Parameter locked: the subscription, locked before the charge.
    static func follow(
        _ charge: Charge, of locked: Subscription, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let period = try await transaction.first(FindPeriod(period: charge.subject)) else { return }
        switch charge.state {
        // Also after the period was given up, since the money has come.
        case .captured where period.state != .paid:
            Ledger.enqueue(Transfers.payFromCard(period, id: .timeOrdered()), in: transaction)
            _ = try await start(period, of: locked, at: at, in: transaction)
        case .declined where period.state == .waiting, .cancelled where period.state == .waiting,
            .lapsed where period.state == .waiting, .refunded where period.state == .waiting:
            try await refuse(period, because: charge.reason ?? "card-declined", of: locked, at: at, in: transaction)
        default: break
        }
    }

    /// Gives up a charge that was tried for too long: the owner may pay otherwise, and what may have happened is
    /// undone.
    ///
    /// - Parameter locked: the subscription, locked before the charge.
    static func giveUp(
        _ charge: Charge, of locked: Subscription, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let period = try await transaction.first(FindPeriod(period: charge.subject)), period.state == .waiting
        else { return }
        try await refuse(period, because: charge.reason ?? Charge.providerDown, of: locked, at: at, in: transaction)
    }

    private static func refuse(
        _ waiting: SubscriptionPeriod, because reason: String, of locked: Subscription, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        var (subscription, period) = (locked, waiting)
        subscription.giveUp(period.id)
        period.state = .refused
        period.reason = reason
        transaction.send(UpdatePeriod(period: period, at: at))
        transaction.send(UpdateSubscription(subscription: subscription))
        try await store(period, of: subscription, at: at, in: transaction)
        guard period.isRenewal else {
            return try await SubscriptionDeadlines.retry(subscription, at: at, in: transaction)
        }
        try await SubscriptionDeadlines.fail(subscription, because: reason, at: at, in: transaction)
    }

    /// Starts a paid period: publishes it and sets the deadlines of its renewal and end.
    ///
    /// - Parameter unpaid: a period that is already inserted.
    static func start(
        _ unpaid: SubscriptionPeriod, of locked: Subscription, at: Date, in transaction: PostgresTransaction
    ) async throws -> (Subscription, SubscriptionPeriod) {
        var (subscription, period) = (locked, unpaid)
        let time = subscription.begin(period.id, of: period.length, at: at)
        period.state = .paid
        period.reason = nil
        period.startsAt = time.start
        period.endsAt = time.end
        transaction.send(UpdatePeriod(period: period, at: at))
        transaction.send(UpdateSubscription(subscription: subscription))
        try await store(period, of: subscription, at: at, in: transaction)
        SubscriptionDeadlines.set(for: period.id, of: period.length, endsAt: time.end, in: transaction)
        try transaction.publish(
            SubscriptionStarted(
                subscription: subscription.id, account: subscription.account, market: subscription.market,
                plan: period.plan, version: subscription.version,
                price: Money(amount: period.price, currency: period.currency), startsAt: time.start, endsAt: time.end,
                isRenewal: period.isRenewal, at: at))
        return (subscription, period)
    }

    private static func store(
        _ period: SubscriptionPeriod, of subscription: Subscription, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let platform = PlatformName.of(period.market)
        let card = period.method == .card ? subscription.said.card : nil
        let known = try await transaction.first(FindSubscriberName(period: period, card: card))
        // When no name of the owner is known, the line names the platform as payer.
        let line = period.statementLine(payer: known ?? platform, platformName: platform)
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
    }
}
