import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Records the result of a payout. The worker's answers and the payment provider's webhooks arrive here, in any order
/// and any number of times.
enum SettleCashOut {
    /// A locked cash-out.
    struct Locked {
        let cashOut: CashOut
        /// Whether the owner's account was deleted.
        let isOwnerGone: Bool
    }

    /// Locks a cash-out and blocks the deletion of its owner. Must run before any row that a deletion locks is locked.
    /// - Returns: nil when there is no such cash-out.
    static func lock(_ id: UUID, in transaction: PostgresTransaction) async throws -> Locked? {
        guard let owner = try await transaction.first(FindCashOut(cashOut: id))?.account else { return nil }
        _ = try await AccountDeletionGuard.deleted(among: [owner], in: transaction)
        let (gone, found) = try await transaction.queryAll(
            FindGoneAccount(account: owner), LockCashOut(cashOut: id))
        return found.first.map { Locked(cashOut: $0, isOwnerGone: !gone.isEmpty) }
    }

    static func record(
        _ outcome: PayoutOutcome, of id: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let locked = try await lock(id, in: transaction) else { return }
        try record(outcome, of: locked, at: at, in: transaction)
    }

    static func record(
        _ outcome: PayoutOutcome, of locked: Locked, at: Date, in transaction: PostgresTransaction
    ) throws {
        var cashOut = locked.cashOut
        guard let effect = cashOut.note(outcome) else {
            // Still on its way: asked about again unless a webhook comes first.
            if cashOut.state == .paying {
                transaction.send(UpdateCashOut(cashOut: cashOut, pauseSeconds: cashOut.pauseSeconds))
            }
            return
        }
        try perform(effect, of: cashOut, isOwnerGone: locked.isOwnerGone, at: at, in: transaction)
        let amount = Money(amount: cashOut.amount, currency: cashOut.currency)
        if cashOut.state == .paid {
            try transaction.publish(
                CashOutPaid(
                    cashOut: cashOut.id, account: cashOut.account, market: cashOut.market, amount: amount, at: at))
        } else {
            try transaction.publish(
                CashOutFailed(
                    cashOut: cashOut.id, account: cashOut.account, market: cashOut.market, amount: amount,
                    reason: cashOut.reason ?? "payout-refused", at: at))
        }
    }

    /// Switches to a new key after a clear answer that nothing happened under the old one.
    ///
    /// - Parameter asked: the cash-out as it was when it was asked for.
    static func takeNewKey(after asked: CashOut, in transaction: PostgresTransaction) async throws {
        guard var cashOut = try await transaction.first(LockCashOut(cashOut: asked.id)),
            cashOut.takeNewKey(after: asked)
        else { return }
        transaction.send(UpdateCashOut(cashOut: cashOut, pauseSeconds: cashOut.longPauseSeconds))
    }

    /// Counts an internal fault of the payment provider.
    ///
    /// - Parameter asked: the cash-out as it was when it was asked for.
    static func fault(_ asked: CashOut, at: Date, in transaction: PostgresTransaction) async throws {
        guard var cashOut = try await transaction.first(LockCashOut(cashOut: asked.id)),
            let pause = cashOut.fault(after: asked, at: at)
        else { return }
        transaction.send(UpdateCashOut(cashOut: cashOut, pauseSeconds: pause))
    }

    /// Records that a search at the payment provider found no payout.
    ///
    /// - Parameter asked: the cash-out as it was when it was searched for.
    static func miss(_ asked: CashOut, at: Date, in transaction: PostgresTransaction) async throws {
        guard var cashOut = try await transaction.first(LockCashOut(cashOut: asked.id)),
            cashOut.miss(after: asked, at: at)
        else { return }
        let pause = cashOut.askedAt == nil ? 0 : CashOut.missSeconds
        transaction.send(UpdateCashOut(cashOut: cashOut, pauseSeconds: pause))
        transaction.raiseAfterCommit(PayoutWorker.signalName)
    }

    /// - Parameters:
    ///   - cashOut: locked, after its transition.
    ///   - isOwnerGone: whether the owner's account was deleted. Returned money then lies in a wallet without an owner,
    ///     which `wallet verify` lists, and no statement line is written.
    static func perform(
        _ effect: CashOut.Effect, of cashOut: CashOut, isOwnerGone: Bool = false, at: Date,
        in transaction: PostgresTransaction
    ) throws {
        transaction.send(UpdateCashOut(cashOut: cashOut, pauseSeconds: 0))
        if !isOwnerGone {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: cashOut.statementLine, at: at))
        }
        switch effect {
        case .none: transaction.raiseAfterCommit(PayoutWorker.signalName)
        case .giveBack: Ledger.enqueue(Transfers.giveBackCashOut(cashOut, id: .timeOrdered()), in: transaction)
        case .sendOff: Ledger.enqueue(Transfers.payOut(cashOut, id: .timeOrdered()), in: transaction)
        case .bringBack: Ledger.enqueue(Transfers.bringBackPayout(cashOut, id: .timeOrdered()), in: transaction)
        }
    }
}

extension HandleWebhook {
    /// Handles an event about a payout.
    ///
    /// - Returns: a new event that reports a second payout of a cash-out, or a payout of one that counts as failed.
    static func take(
        _ event: PayoutJSON.Event, at: Date, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent? {
        guard try await transaction.execute(RememberWebhook(id: event.id)) == 1 else { return nil }
        // Uses the id from our metadata, since the first answer, which has the payout's id, may have been lost.
        let payout = event.data.object
        guard let told = payout.metadata?["cashOut"].flatMap(UUID.init(uuidString:)),
            let locked = try await SettleCashOut.lock(told, in: transaction),
            let outcome = PayoutJSON.outcome(of: payout, locked.cashOut)
        else { return nil }
        let cashOut = locked.cashOut
        let isAnother = cashOut.reference != nil && cashOut.reference != payout.id
        // An unanswered payout that was paid after another one was refused and the money went back.
        let isTooLate = cashOut.reference == nil && cashOut.state == .failed
        guard !isAnother, !isTooLate else {
            let isPaid = event.type == "payout.paid"
            return isPaid ? UnfollowedEvent(kind: .secondPayout, subject: cashOut.id, order: nil) : nil
        }
        try SettleCashOut.record(outcome, of: locked, at: at, in: transaction)
        return nil
    }
}
