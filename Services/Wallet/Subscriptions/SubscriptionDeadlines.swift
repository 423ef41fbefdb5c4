import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The deadlines of periods' ends and of the renewals before them. A deadline names its period, so a late one finds
/// another current period and does nothing.
enum SubscriptionDeadlines {
    static let renewal = "subscription.renewal"
    static let expiry = "subscription.expiry"
    /// Seconds to wait while another transaction changes the subscription.
    static let busySeconds = 5.0

    static func set(
        for period: UUID, of length: SubscriptionPlan.Period, endsAt: Date, in transaction: PostgresTransaction
    ) {
        let renewsAt = endsAt.addingTimeInterval(-Subscription.renewalSeconds(of: length))
        transaction.set(Deadline(kind: renewal, subject: period.text, dueAt: renewsAt))
        transaction.set(Deadline(kind: expiry, subject: period.text, dueAt: endsAt))
    }

    /// Handles a failed renewal: tries again until the period ends, and informs the owner.
    static func fail(
        _ subscription: Subscription, because reason: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try await retry(subscription, at: now, in: transaction)
        try await tell(subscription, because: reason, at: now, in: transaction)
    }

    /// Publishes that a period is not renewed, once per period.
    private static func tell(
        _ subscription: Subscription, because reason: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard subscription.state == .active, let period = subscription.period, let end = subscription.endsAt,
            try await transaction.execute(NoteFailedRenewal(period: period)) == 1
        else { return }
        try transaction.publish(
            SubscriptionRenewalFailed(
                subscription: subscription.id, account: subscription.account, market: subscription.market,
                period: period, reason: reason, endsAt: end, at: now))
    }

    /// Sets another renewal attempt, if the period lasts until then.
    static func retry(
        _ subscription: Subscription, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try await setRenewal(
            of: subscription, noSoonerThan: now.addingTimeInterval(Subscription.retrySeconds), in: transaction)
    }

    /// Sets the renewal that the owner asked for; at once when the usual time has passed.
    static func wish(
        _ subscription: Subscription, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard subscription.renews, subscription.state == .active else { return }
        try await setRenewal(of: subscription, noSoonerThan: now, in: transaction)
    }

    private static func setRenewal(
        of subscription: Subscription, noSoonerThan time: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let id = subscription.period, let end = subscription.endsAt, time < end,
            let period = try await transaction.first(FindPeriod(period: id))
        else { return }
        let due = max(time, end.addingTimeInterval(-Subscription.renewalSeconds(of: period.length)))
        transaction.set(Deadline(kind: renewal, subject: id.text, dueAt: due))
    }

    static func renew(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        try await renew(after: try period(deadline), at: now, in: transaction)
    }

    static func expire(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        try await expire(try period(deadline), at: now, in: transaction)
    }

    private static func period(_ deadline: Deadline) throws(UnreadableSubject) -> UUID {
        guard let period = UUID(uuidString: deadline.subject) else {
            throw UnreadableSubject(subject: deadline.subject)
        }
        return period
    }

    /// Renews with the same plan on the agreed terms. If the plan has ended, become dearer or got another period, the
    /// subscription ends as if no renewal had been requested, and the provider must subscribe again.
    static func renew(after ended: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let old = try await transaction.first(FindPeriod(period: ended)) else { return }
        // Before any row lock: an account's deletion locks the account first.
        let isLeaving = try await !AccountDeletionGuard.deleted(among: [old.account], in: transaction).isEmpty
        // Does not wait for the row: its holder may be about to set this deadline, whose row is locked here.
        guard let subscription = try await transaction.first(TryLockSubscriptionOfPeriod(period: ended)) else {
            // The subscription was deleted with its account.
            guard try await transaction.first(FindGoneAccount(account: old.account)) == nil else { return }
            let soon = now.addingTimeInterval(busySeconds)
            return transaction.set(Deadline(kind: renewal, subject: ended.text, dueAt: soon))
        }
        guard subscription.isToRenew(after: ended), let plan = try await transaction.first(FindPlan(plan: old.plan))
        else { return }
        // A requested deletion may still be refused, so the renewal is tried again. A deleted account has no
        // subscription.
        guard !isLeaving else { return try await retry(subscription, at: now, in: transaction) }
        guard plan.endedAt == nil, plan.price <= old.price, plan.period == old.length else {
            return try await tell(subscription, because: "plan-changed", at: now, in: transaction)
        }
        // Retried, since the fine may be paid before the period ends.
        if try await transaction.first(FindBlock(account: old.account, market: old.market)) != nil {
            return try await fail(subscription, because: "account-blocked", at: now, in: transaction)
        }
        switch subscription.method {
        case .wallet:
            guard try await !WalletFreeze.isFrozen(subscription.account, in: transaction) else {
                return try await fail(subscription, because: "wallet-frozen", at: now, in: transaction)
            }
            let balances = try await transaction.query(ListBalances(account: subscription.account))
            // The commit's posting cannot be refused. If the wallet is emptied in between, the commit fails and the
            // deadline fires again.
            let balance = balances.first { $0.currency == plan.currency }?.amount ?? 0
            guard balance >= plan.price else {
                return try await fail(subscription, because: "insufficient-funds", at: now, in: transaction)
            }
            let period = PaySubscription.period(of: plan, subscription, .wallet, isRenewal: true)
            Ledger.enqueue(Transfers.payFromWallet(period, id: .timeOrdered()), in: transaction)
            transaction.send(InsertPeriod(period: period, at: now))
            _ = try await PaySubscription.start(period, of: subscription, at: now, in: transaction)
        case .card:
            guard AmountOutOfBounds(plan.price, plan.currency, .payment) == nil else {
                return try await fail(subscription, because: AmountOutOfBounds.reason, at: now, in: transaction)
            }
            guard let id = subscription.card,
                let card = try await transaction.first(FindCard(card: id, account: subscription.account)),
                !card.expiry.isPast(at: now),
                // A card that is being removed counts as no card.
                try await transaction.first(ShareLockCard(account: card.account, reference: card.reference)) != nil
            else { return try await fail(subscription, because: "no-such-card", at: now, in: transaction) }
            let agreedAt = card.consentedAt ?? subscription.chosenAt ?? old.startsAt ?? now
            let instrument = Instrument(renewing: card, agreedAt: agreedAt)
            let means = PaySubscription.Means.card(id, instrument)
            let period = PaySubscription.period(of: plan, subscription, means, isRenewal: true)
            try await PaySubscription.begin(period, of: subscription, by: means, at: now, in: transaction)
        }
    }

    static func expire(_ ended: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        guard var subscription = try await transaction.first(LockSubscriptionOfPeriod(period: ended)),
            subscription.expire(ended)
        else { return }
        transaction.send(UpdateSubscription(subscription: subscription))
        try transaction.publish(
            SubscriptionExpired(
                subscription: subscription.id, account: subscription.account, market: subscription.market,
                version: subscription.version, endedAt: subscription.endsAt ?? now, at: now))
    }
}
