import Contracts
import Foundation
import Messaging
import Postgres

/// Notes what became of a charge and lets its payment or top-up follow. The worker's answers and the payment provider's
/// webhooks meet here, in any order and as often as they like.
///
/// Rows are locked payment (or top-up) first, then charge, then accounts, as everywhere.
enum RecordCharge {
    /// The payment provider's word.
    static func record(
        _ outcome: Charge.Outcome, reference: String?, of id: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws {
        try await change(id, at: at, in: transaction) { charge in charge.note(outcome, reference: reference) }
    }

    /// The payment provider has not answered for too long: the customer may try something else, and what may have
    /// happened is undone. A top-up is waited for, since nothing else waits for it, until its key is too old.
    static func giveUp(_ id: UUID, at: Date, in transaction: PostgresTransaction) async throws {
        let (payments, charges) = try await transaction.queryAll(
            LockPaymentOfCharge(charge: id), LockCharge(charge: id))
        guard var payment = payments.first, let charge = charges.first, charge.state == .asked else { return }
        let effects = payment.hear(.givenUp, of: id, reason: "provider-down")
        guard !effects.isEmpty else { return }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
    }

    /// The charge is too old to be asked for again.
    static func lapse(_ id: UUID, at: Date, in transaction: PostgresTransaction) async throws {
        try await change(id, at: at, in: transaction) { charge in charge.lapse(at: at) }
    }

    private static func change(
        _ id: UUID, at: Date, in transaction: PostgresTransaction, _ body: (inout Charge) -> Bool
    ) async throws {
        let (payments, topUps, charges) = try await transaction.queryAll(
            LockPaymentOfCharge(charge: id), LockTopUpOfCharge(charge: id), LockCharge(charge: id))
        guard var charge = charges.first, body(&charge) else { return }
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: 0))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        if var payment = payments.first, let trigger = trigger(of: charge.state) {
            let effects = payment.hear(trigger, of: id, reason: charge.reason)
            guard !effects.isEmpty else { return }
            try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        }
        if var topUp = topUps.first, topUp.hear(charge.state, reason: charge.reason) {
            try follow(topUp, at: at, in: transaction)
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

    private static func trigger(of state: Charge.State) -> PaymentTrigger? {
        switch state {
        case .asked: nil
        case .authorised: .authorised
        case .captured: .captured
        case .cancelled: .cancelled
        case .declined, .lapsed: .refused
        }
    }
}
