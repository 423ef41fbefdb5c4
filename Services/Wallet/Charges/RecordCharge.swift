import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Records a charge's result and updates its payment, top-up, refund or subscription. The worker's answers and the
/// payment provider's webhooks arrive here, in any order and any number of times.
///
/// Lock order: payment (or top-up, refund, subscription), then charge, then accounts. Several payments are locked in
/// the order of their orders' ids.
enum RecordCharge {
    /// Records the payment provider's result of a charge, which is read again once it is locked. A top-up or
    /// subscription of an account that is leaving or deleted is refunded.
    static func record(
        _ outcome: Charge.Outcome, reference: String?, of known: Charge, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard outcome != .refundFailed else { return try await failRefund(of: known, at: at, in: transaction) }
        var goesBack = false
        if outcome == .captured, known.purpose.takesAtOnce,
            let owner = try await transaction.first(FindOwnerOfCharge(charge: known.id))
        {
            goesBack = try await owner.isGone(in: transaction)
        }
        try await change(known, at: at, in: transaction) { charge in
            guard charge.note(outcome, reference: reference) else { return false }
            // The account is leaving or gone, so the money goes back to the card.
            if goesBack, charge.state == .captured { charge.want(.cancel) }
            return true
        }
    }

    /// Handles a refund that the payment provider refuses permanently: it was never made, and its money goes to the
    /// owner's wallet. A refund in the dashboard may have taken its place; what that one has given back is taken from the
    /// wallet again.
    static func refuseRefund(of known: Charge, at: Date, in transaction: PostgresTransaction) async throws {
        try await failRefund(of: known, wasMade: false, at: at, in: transaction)
    }

    /// Handles a refund that failed, at once or after it counted as made. The card's part is over all the same, and the
    /// money goes to the owner's wallet.
    private static func failRefund(
        of known: Charge, wasMade: Bool = true, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let failed = try await transaction.first(FindRefundReturn(charge: known.id)) else { return }
        // Before any row lock: an account's deletion locks the account first.
        _ = try await AccountDeletionGuard.deleted(among: [failed.account], in: transaction)
        let gone = try await transaction.first(FindGoneAccount(account: failed.account))
        let refunded = try await refundedCharge(of: known, in: transaction)
        var isGivenBack = false
        try await change(known, at: at, in: transaction) { charge in
            let isAsked = charge.nextRequest == .refund
            isGivenBack = isAsked || charge.state == .refunded
            guard isAsked else { return false }
            return charge.note(.refunded, reference: nil)
        }
        // Nothing to return when the refund was not asked for here, or was returned already.
        let key = TransferKey.make(Transfer.Kind.refundReturn.rawValue, failed.charge)
        guard isGivenBack, try await transaction.query(FindPosted(keys: [key])).isEmpty else { return }
        try ReturnRefund.give(failed, isOwnerGone: gone != nil, at: at, in: transaction)
        guard let refunded else { return }
        if wasMade {
            // The payment provider counts it no more.
            transaction.send(LowerToldRefund(charge: refunded.charge.id, amount: failed.amount))
        } else {
            try await OutsideRefund.take(
                insteadOf: failed, of: refunded.charge, refunded.charged, at: at, in: transaction)
        }
    }

    /// Locks the charge that a refund gives back, after its subject and before the refund.
    private static func refundedCharge(
        of refund: Charge, in transaction: PostgresTransaction
    ) async throws -> (charge: Charge, charged: ApplyDispute.Charged)? {
        var paid: UUID? = refund.id
        if refund.purpose == .refund {
            guard let reference = refund.reference else { return nil }
            paid = try await transaction.first(FindChargeByReference(reference: reference))
        }
        guard let paid, let charged = try await ApplyDispute.charged(paid, in: transaction),
            let known = try await transaction.first(FindCharge(charge: paid)),
            let locked = try await lock(known, in: transaction).charge
        else { return nil }
        return (locked, charged)
    }

    /// Postpones a charge whose answer is unknown or unusable, unless the charge changed meanwhile.
    ///
    /// - Parameters:
    ///   - asked: the charge as it was when it was asked for.
    ///   - isFault: whether the payment provider failed internally; it may repeat such an answer for the same key.
    ///   - givesUp: whether the charge was tried for too long: the customer may then pay otherwise, and what may have
    ///     happened is undone. A top-up is not given up before its key is too old, since nothing else waits for it.
    /// - Returns: the order of the payment; nil for a top-up.
    static func postpone(
        _ asked: Charge, pauseSeconds: Double, isFault: Bool = false, givesUp: Bool, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> UUID? {
        let (payments, subscriptions, charges) = try await transaction.queryAll(
            LockPaymentOfCharge(charge: asked.id), LockSubscriptionOfCharge(charge: asked.id),
            LockCharge(charge: asked.id))
        let order = payments.first?.order
        guard var charge = charges.first, charge.state == asked.state, charge.goal == asked.goal,
            charge.keyNumber == asked.keyNumber
        else { return order }
        if givesUp, charge.mayBeGivenUp, let subscription = subscriptions.first {
            charge.giveUp()
            transaction.send(UpdateCharge(charge: charge, pauseSeconds: pauseSeconds))
            try await PaySubscription.giveUp(charge, of: subscription, at: at, in: transaction)
            return nil
        }
        if !isFault {
            transaction.send(PostponeCharge(charge: asked, pauseSeconds: pauseSeconds))
        } else if let pause = charge.fault(after: asked, at: at) {
            transaction.send(CountFault(charge: charge, pauseSeconds: pause))
        }
        guard givesUp, charge.state == .asked, var payment = payments.first else { return order }
        let effects = payment.hear(.givenUp, of: charge.id, reason: "provider-down")
        if !effects.isEmpty {
            try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        }
        return order
    }

    /// Handles a due charge with nothing to ask. A waiting authorisation is captured early, so that it cannot lapse
    /// before the order ends. One that no held payment needs is cancelled.
    static func endWait(_ id: UUID, in transaction: PostgresTransaction) async throws {
        let (payments, charges) = try await transaction.queryAll(
            LockPaymentOfCharge(charge: id), LockCharge(charge: id))
        guard var charge = charges.first else { return }
        if charge.isWaiting {
            let isHeld = payments.contains { $0.charge == id && ($0.state == .held || $0.state == .frozen) }
            charge.want(isHeld ? .capture : .cancel)
            transaction.raiseAfterCommit(PaymentWorker.signalName)
        } else if charge.nextRequest != nil {
            // Another request became necessary meanwhile, and another worker may be making it.
            return
        }
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: 0))
    }

    /// Records that the payment provider does not know a charge which may not be asked for again.
    ///
    /// - Returns: whether the charge is given up; otherwise it is searched for again.
    static func miss(_ known: Charge, at: Date, in transaction: PostgresTransaction) async throws -> Bool {
        var isGivenUp = false
        try await change(known, at: at, in: transaction) { charge in
            guard charge.state == .asked else { return false }
            isGivenUp = charge.miss(at: at)
            return true
        }
        return isGivenUp
    }

    /// Gives up a top-up or subscription whose owner did not confirm in time.
    static func abandon(_ id: UUID, in transaction: PostgresTransaction) async throws {
        let (_, _, charges) = try await transaction.queryAll(
            LockTopUpOfCharge(charge: id), LockSubscriptionOfCharge(charge: id), LockCharge(charge: id))
        guard var charge = charges.first, charge.state == .requiresAction else { return }
        charge.want(.cancel)
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: 0))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
    }

    /// The subject of a charge, with its row locked.
    private enum Matter {
        case payment(Payment)
        case topUp(TopUp)
        case refund(Refund)
        case subscription(Subscription)

        /// The account whose card is charged; nil for a refund.
        var account: UUID? {
            switch self {
            case .payment(let payment): payment.customer
            case .topUp(let topUp): topUp.account
            case .subscription(let subscription): subscription.account
            case .refund: nil
            }
        }
    }

    /// Locks the charge's subject, then the charge. A purpose never changes, so it need not be read again.
    private static func lock(
        _ known: Charge, in transaction: PostgresTransaction
    ) async throws -> (matter: Matter?, charge: Charge?) {
        let (id, charge) = (known.id, LockCharge(charge: known.id))
        switch known.purpose {
        case .payment:
            let (found, charges) = try await transaction.queryAll(LockPaymentOfCharge(charge: id), charge)
            return (found.first.map(Matter.payment), charges.first)
        case .topUp:
            let (found, charges) = try await transaction.queryAll(LockTopUpOfCharge(charge: id), charge)
            return (found.first.map(Matter.topUp), charges.first)
        case .refund:
            let (found, charges) = try await transaction.queryAll(LockRefundOfCharge(charge: id), charge)
            return (found.first.map(Matter.refund), charges.first)
        case .subscription:
            let (found, charges) = try await transaction.queryAll(LockSubscriptionOfCharge(charge: id), charge)
            return (found.first.map(Matter.subscription), charges.first)
        }
    }

    private static func change(
        _ known: Charge, at: Date, in transaction: PostgresTransaction, _ body: (inout Charge) -> Bool
    ) async throws {
        let (matter, locked) = try await lock(known, in: transaction)
        guard var charge = locked, body(&charge) else { return }
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: charge.firstPauseSeconds))
        if charge.nextRequest != nil { transaction.raiseAfterCommit(PaymentWorker.signalName) }
        CardAttempts.end(charge, of: matter?.account, in: transaction)
        // A captured charge that is to be refunded is never credited.
        let goesBack = charge.state == .captured && charge.goal == .cancel
        switch matter {
        case .payment(var payment)?:
            guard let trigger = PaymentTrigger(charge) else { return }
            let effects = payment.hear(trigger, of: charge.id, reason: charge.reason)
            guard !effects.isEmpty else { return }
            try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        case .refund(let refund)?:
            try await RefundPayment.follow(refund, charge, at: at, in: transaction)
        case .topUp(var topUp)?:
            guard !goesBack, topUp.hear(charge.state, reason: charge.reason) else { return }
            try follow(topUp, at: at, in: transaction)
        case .subscription(let subscription)?:
            guard !goesBack else { return }
            try await PaySubscription.follow(charge, of: subscription, at: at, in: transaction)
        case nil: return
        }
    }

    private static func follow(_ topUp: TopUp, at: Date, in transaction: PostgresTransaction) throws {
        transaction.send(UpdateTopUp(topUp: topUp))
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: topUp.statementLine, at: at))
        guard topUp.state == .completed else { return }
        Ledger.enqueue(Transfers.topUp(topUp, id: .timeOrdered()), in: transaction)
        try transaction.publish(
            TopUpCompleted(
                topUp: topUp.id, account: topUp.account, market: topUp.market,
                amount: Money(amount: topUp.amount, currency: topUp.currency), at: at))
    }
}
