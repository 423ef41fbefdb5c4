import Contracts
import Foundation
import Messaging
import Postgres

/// Lets an admin's decision about a report say where an order's money goes.
///
/// It decides alone: an order's end moves nothing as long as its snapshot names the report. The first decision counts. One
/// that is heard before the report is kept until then: whose the money is may have changed in between.
enum DecideReport {
    static func decide(_ decided: ReportDecided, at: Date, in transaction: PostgresTransaction) async throws {
        transaction.send(LockOrder(order: decided.order))
        transaction.send(StoreDecision(decided: decided))
        do {
            try await apply(to: decided.order, isReported: false, at: at, in: transaction)
        } catch let error as DecisionOfAnotherOrder {
            throw PoisonMessage(error.description)
        }
    }

    /// Does what was decided about an order's money, if anything was and is to be done still.
    ///
    /// - Parameter isReported: whether the report was heard; else the order's state says whether it may have been.
    /// - Throws: ``DecisionOfAnotherOrder``, with nothing done.
    static func apply(
        to order: UUID, isReported: Bool, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let (decisions, payments, deposits) = try await transaction.queryAll(
            FindDecision(order: order), LockPayment(order: order), FindLockedDeposit(order: order))
        guard let decision = decisions.first, var payment = payments.first else { return }
        guard decision.market == payment.market, (decision.currency ?? payment.currency) == payment.currency else {
            throw DecisionOfAnotherOrder()
        }
        guard isReported || payment.mayBeReported else { return }
        let terms = payment.terms
        let effects = payment.decide(toCustomer: decision.toCustomer(of: payment.amount))
        if payment.terms != terms { transaction.send(UpdatePaymentTerms(payment: payment)) }
        if !effects.isEmpty {
            try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        }
        if let deposit = deposits.first {
            try FollowDeposit.end(
                deposit, toCustomer: decision.deposit == .giveToCustomer, at: at, in: transaction)
        }
    }
}

/// A decision that does not fit the order that it names.
struct DecisionOfAnotherOrder: Error, CustomStringConvertible {
    let description = "a decision about another market's order, or in another currency"
}
