import Contracts
import Foundation
import Messaging
import Postgres

/// Applies an admin's decision about a report to an order's payment and deposit.
///
/// While the order's snapshot names the report, only the decision moves money; the order's end does not. The first
/// decision counts. A decision heard before its report is stored until the report arrives, because the order's provider
/// may have changed in between.
enum DecideReport {
    static func decide(_ decided: ReportDecided, at: Date, in transaction: PostgresTransaction) async throws {
        transaction.send(LockOrder(order: decided.order))
        transaction.send(StoreDecision(decided: decided))
        do {
            try await apply(to: decided.order, isReported: false, at: at, in: transaction)
        } catch let error as MismatchedDecision {
            throw PoisonMessage(error.description)
        }
    }

    /// Applies the stored decision about an order, if there is one and it still has an effect.
    ///
    /// - Parameter isReported: whether the report was heard; otherwise the order's state says whether it may have been.
    /// - Throws: ``MismatchedDecision``; then nothing was done.
    static func apply(
        to order: UUID, isReported: Bool, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let (decisions, payments, deposits) = try await transaction.queryAll(
            FindDecision(order: order), LockPayment(order: order), FindLockedDeposit(order: order))
        guard let decision = decisions.first, var payment = payments.first else { return }
        guard decision.market == payment.market, (decision.currency ?? payment.currency) == payment.currency else {
            throw MismatchedDecision()
        }
        guard isReported || payment.mayBeReported else { return }
        let terms = payment.terms
        let effects = payment.decide(toCustomer: decision.toCustomer(of: payment.amount))
        if payment.terms != terms { transaction.send(UpdatePaymentTerms(payment: payment)) }
        if !effects.isEmpty {
            try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        }
        if let deposit = deposits.first {
            try await FollowDeposit.end(
                deposit, toCustomer: decision.deposit == .giveToCustomer, at: at, in: transaction)
        }
    }
}

/// The decision's market or currency differs from the payment's.
struct MismatchedDecision: Error, CustomStringConvertible {
    let description = "a decision about another market's order, or in another currency"
}
