import Contracts
import Foundation
import Messaging
import Postgres

/// Does what a transition of a payment asks for, in the transaction that has locked the payment.
struct PaymentEffects {
    let transaction: PostgresTransaction
    let at: Date

    /// - Parameters:
    ///   - payment: after the transition.
    ///   - beginning: the new charge, where one begins.
    /// - Throws: ``LedgerError``: the transition cannot be made; the transaction is over.
    func perform(_ effects: [PaymentEffect], of payment: Payment, beginning charge: Charge? = nil) async throws {
        transaction.send(UpdatePayment(payment: payment))
        // A use counts as long as its payment goes on.
        if let promotion = payment.promotion, [.due, .closed, .released].contains(payment.state) {
            transaction.send(ReturnPromoUse(use: promotion.use))
        }
        var known: Charge?
        for effect in effects {
            switch effect {
            case .beginCharge: begin(charge)
            case .captureCharge: known = try await want(.capture, of: payment)
            case .cancelCharge: known = try await want(.cancel, of: payment)
            case .holdFromWallet:
                try await Ledger.post([Transfers.holdFromWallet(payment, id: .timeOrdered())], in: transaction)
            case .holdFromCard: post(Transfers.holdFromCard(payment, id: .timeOrdered()))
            case .payOut: post(try Transfers.payOut(payment, to: provider(of: payment), id: .timeOrdered()))
            case .takeCommission:
                post(try Transfers.takeCommission(payment, from: provider(of: payment), id: .timeOrdered()))
            case .returnToWallet: post(Transfers.returnToWallet(payment, id: .timeOrdered()))
            case .returnToCard: post(Transfers.returnToCard(payment, id: .timeOrdered()))
            case .tellHeld: try transaction.publish(PaymentHeld(payment: snapshot(payment), at: at))
            case .tellRefused: try tellRefused(payment)
            case .tellCaptured: try tellCaptured(payment)
            case .tellReleased: try transaction.publish(PaymentReleased(payment: snapshot(payment), at: at))
            }
        }
        let platform = Market.named(payment.market)?.name.text(in: "en") ?? payment.market
        for line in payment.statementLines(platformName: platform) {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
        // What is wanted of a charge may have happened already: nobody would tell of it again.
        guard let known, let trigger = PaymentTrigger(known.state) else { return }
        var next = payment
        let more = next.hear(trigger, of: known.id, reason: known.reason)
        if !more.isEmpty { try await perform(more, of: next) }
    }

    private func post(_ transfer: Transfer) { Ledger.enqueue(transfer, in: transaction) }

    private func begin(_ charge: Charge?) {
        guard let charge else { return }
        transaction.send(InsertCharge(charge: charge))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
    }

    /// - Returns: the charge, when there is nothing to ask of it any more.
    private func want(_ goal: Charge.Goal, of payment: Payment) async throws -> Charge? {
        guard let id = payment.charge, var charge = try await transaction.first(LockCharge(charge: id)) else {
            return nil
        }
        charge.want(goal)
        // One that is being asked for comes back by itself; to ask at once would be to ask twice.
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: charge.state == .asked ? charge.pauseSeconds : 0))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return charge.nextRequest == nil ? charge : nil
    }

    private func tellRefused(_ payment: Payment) throws {
        let refused = PaymentRefused(
            payment: try snapshot(payment), method: wireMethod(payment) ?? .card,
            reason: payment.refusal ?? "card-declined", at: at)
        try transaction.publish(refused)
    }

    private func tellCaptured(_ payment: Payment) throws {
        let shares = payment.shares
        try transaction.publish(
            PaymentCaptured(
                payment: snapshot(payment),
                providerShare: Money(amount: shares.provider, currency: payment.currency),
                platformShare: Money(amount: shares.platform, currency: payment.currency), at: at))
    }

    private func snapshot(_ payment: Payment) throws -> PaymentSnapshot {
        let state: PaymentSnapshot.State =
            switch payment.state {
            case .requested, .due, .closed: .due
            case .authorising: .authorising
            case .held, .capturing, .releasing: .held
            case .captured: .captured
            case .released: .released
            }
        return PaymentSnapshot(
            payment: payment.id, order: payment.order, market: payment.market, version: payment.version, state: state,
            method: wireMethod(payment), customer: payment.customer, provider: try provider(of: payment),
            amount: Money(amount: payment.amount, currency: payment.currency),
            discount: payment.promotion.map { Money(amount: $0.discount, currency: payment.currency) })
    }

    private func wireMethod(_ payment: Payment) -> PaymentSnapshot.Method? {
        payment.method.flatMap { PaymentSnapshot.Method(rawValue: $0.rawValue) }
    }

    private func provider(of payment: Payment) throws -> UUID {
        guard let provider = payment.provider else { throw PaymentWithoutProvider(order: payment.order) }
        return provider
    }
}

/// Dispatch never lets an order without a provider be paid.
struct PaymentWithoutProvider: Error {
    let order: UUID
}
