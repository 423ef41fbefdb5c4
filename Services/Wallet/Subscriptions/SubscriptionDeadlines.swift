import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The ends of subscriptions' periods, and the renewals before them. A deadline is one period's: whoever is late finds
/// that another period holds, and does nothing.
enum SubscriptionDeadlines {
    static let renewal = "subscription.renewal"
    static let expiry = "subscription.expiry"
    /// How long a renewal is put off while somebody else changes the subscription.
    static let busySeconds = 5.0

    static func set(for period: UUID, endsAt: Date, in transaction: PostgresTransaction) {
        transaction.set(
            Deadline(
                kind: renewal, subject: period.text,
                dueAt: endsAt.addingTimeInterval(-Subscription.renewalSeconds)))
        transaction.set(Deadline(kind: expiry, subject: period.text, dueAt: endsAt))
    }

    /// A renewal came to nothing; it is tried again while the period holds, and its owner is told.
    static func fail(
        _ subscription: Subscription, because reason: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        retry(subscription, at: now, in: transaction)
        try await tell(subscription, because: reason, at: now, in: transaction)
    }

    /// That a period is not renewed, once for the period, however often it is tried.
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

    /// It is tried again while the period holds.
    static func retry(_ subscription: Subscription, at now: Date, in transaction: PostgresTransaction) {
        setRenewal(of: subscription, noSoonerThan: now.addingTimeInterval(Subscription.retrySeconds), in: transaction)
    }

    /// Its owner wants it to go on, perhaps when the time of its first renewal is over already.
    static func wish(_ subscription: Subscription, at now: Date, in transaction: PostgresTransaction) {
        guard subscription.renews, subscription.state == .active else { return }
        setRenewal(of: subscription, noSoonerThan: now, in: transaction)
    }

    private static func setRenewal(
        of subscription: Subscription, noSoonerThan time: Date, in transaction: PostgresTransaction
    ) {
        guard let period = subscription.period, let end = subscription.endsAt, time < end else { return }
        let due = max(time, end.addingTimeInterval(-Subscription.renewalSeconds))
        transaction.set(Deadline(kind: renewal, subject: period.text, dueAt: due))
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

    /// Goes on with the same plan on the terms that were agreed to: not when it has ended or become dearer. Then, as
    /// without a wish to renew, the subscription ends and the provider is asked again.
    static func renew(after ended: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let old = try await transaction.first(FindPeriod(period: ended)) else { return }
        // Before any row is locked: a deletion locks the account first.
        let isLeaving = try await !LeavingAccounts.among([old.account], in: transaction).isEmpty
        // Who has it may be about to set this deadline, whose row is locked here: nobody waits for the other.
        guard let subscription = try await transaction.first(LockSubscriptionOfPeriodAtOnce(period: ended)) else {
            // With its account it is gone for good.
            guard try await transaction.first(FindGoneAccount(account: old.account)) == nil else { return }
            let soon = now.addingTimeInterval(busySeconds)
            return transaction.set(Deadline(kind: renewal, subject: ended.text, dueAt: soon))
        }
        guard subscription.isToRenew(after: ended), let plan = try await transaction.first(FindPlan(plan: old.plan))
        else { return }
        // A deletion that is asked for may be refused. What is gone has no subscription any more.
        guard !isLeaving else { return retry(subscription, at: now, in: transaction) }
        guard plan.endedAt == nil, plan.price <= old.price else {
            return try await tell(subscription, because: "plan-changed", at: now, in: transaction)
        }
        // Who owes for a fine buys nothing new; it is tried again, since it may be paid until then.
        if try await transaction.first(FindBlock(account: old.account, market: old.market)) != nil {
            return try await fail(subscription, because: "account-blocked", at: now, in: transaction)
        }
        switch subscription.method {
        case .wallet:
            guard try await !WalletFreeze.isFrozen(subscription.account, in: transaction) else {
                return try await fail(subscription, because: "wallet-frozen", at: now, in: transaction)
            }
            let balances = try await transaction.query(ListBalances(account: subscription.account))
            // Looked at before, since what the commit posts cannot be refused any more. If the wallet is emptied in
            // between, the commit fails and the deadline comes again.
            let balance = balances.first { $0.currency == plan.currency }?.amount ?? 0
            guard balance >= plan.price else {
                return try await fail(subscription, because: "insufficient-funds", at: now, in: transaction)
            }
            let period = PaySubscription.period(of: plan, subscription, .wallet, isRenewal: true)
            Ledger.enqueue(Transfers.payFromWallet(period, id: .timeOrdered()), in: transaction)
            transaction.send(InsertPeriod(period: period, at: now))
            _ = try await PaySubscription.start(period, of: subscription, at: now, in: transaction)
        case .card:
            guard OutOfBounds(plan.price, plan.currency, .payment) == nil else {
                return try await fail(subscription, because: OutOfBounds.reason, at: now, in: transaction)
            }
            guard let id = subscription.card,
                let card = try await transaction.first(FindCard(card: id, account: subscription.account)),
                !card.expiry.isPast(at: now),
                // Removed in this moment it is as if there were none.
                try await transaction.first(KeepCard(account: card.account, reference: card.reference)) != nil
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
