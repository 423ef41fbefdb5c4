import Contracts
import Foundation
import Messaging
import Postgres

/// Carries out the effects of a payment's transition, in the transaction that has locked the payment.
struct PaymentEffects {
    let transaction: PostgresTransaction
    let at: Date
    /// Whether wallet holds are posted with the commit, together with the transaction's other transfers. Only safe when
    /// the wallet is known to hold enough.
    var postsWithCommit = false

    init(transaction: PostgresTransaction, at: Date) {
        self.transaction = transaction
        self.at = at
    }

    /// - Parameters:
    ///   - payment: the payment after the transition.
    ///   - before: the payment before the transition; payees who are no longer paid get a `reassigned` statement line.
    ///   - beginning: the new charge, if one begins.
    /// - Throws: ``LedgerError`` when the transition cannot be made; the transaction must then roll back.
    func perform(
        _ effects: [PaymentEffect], of payment: Payment, after before: Payment? = nil, beginning charge: Charge? = nil
    ) async throws {
        transaction.send(
            UpdatePayment(
                payment: payment, heldAt: effects.contains(.tellHeld) ? at : nil,
                capturedAt: effects.contains(.tellCaptured) ? at : nil,
                releasedAt: effects.contains(.tellReleased) ? at : nil))
        // A promo code's use is returned when its payment comes to nothing.
        if let promotion = payment.promotion, [.due, .closed, .released, .credited].contains(payment.state) {
            transaction.send(ReturnPromoUse(use: promotion.use))
        }
        var known: Charge?
        for effect in effects {
            switch effect {
            case .beginCharge: begin(charge)
            case .captureCharge: known = try await want(.capture, of: payment)
            case .cancelCharge: known = try await want(.cancel, of: payment)
            case .holdFromWallet where postsWithCommit: post(Transfers.holdFromWallet(payment, id: .timeOrdered()))
            case .holdFromWallet:
                try await Ledger.post([Transfers.holdFromWallet(payment, id: .timeOrdered())], in: transaction)
            case .holdFromDesk: post(Transfers.holdFromDesk(payment, id: .timeOrdered()))
            case .holdFromCard: post(Transfers.holdFromCard(payment, id: .timeOrdered()))
            case .payOut:
                try await PassCardMoney.capture(payment, at: at, in: transaction)
                try await payOut(payment)
            case .takeCommission:
                guard let provider = payment.provider else { throw PaymentWithoutProvider(order: payment.order) }
                post(Transfers.takeCommission(payment, from: provider, id: .timeOrdered()))
            case .returnToWallet: post(Transfers.returnToWallet(payment, id: .timeOrdered()))
            case .returnToCard: post(Transfers.returnToCard(payment, id: .timeOrdered()))
            case .tellActionRequired:
                try transaction.publish(PaymentActionRequired(payment: PaymentSnapshot(payment), at: at))
            case .tellHeld: try transaction.publish(PaymentHeld(payment: PaymentSnapshot(payment), at: at))
            case .tellRefused: try await tellRefused(payment)
            case .tellCaptured: try tellCaptured(payment)
            case .tellReleased:
                let toWallet = payment.state == .credited ? true : nil
                try transaction.publish(PaymentReleased(payment: PaymentSnapshot(payment), at: at, toWallet: toWallet))
            }
        }
        store(payment, after: before)
        // The charge may already be where it is wanted. No further answer would come, so the payment continues here.
        guard let known, let trigger = PaymentTrigger(known) else { return }
        var next = payment
        let more = next.hear(trigger, of: known.id, reason: known.reason)
        if !more.isEmpty { try await perform(more, of: next) }
    }

    private func store(_ payment: Payment, after before: Payment?) {
        let platform = PlatformName.of(payment.market)
        let lines = payment.statementLines(platformName: platform)
        for line in lines { transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at)) }
        guard let before, before.terms.allPayees != payment.terms.allPayees else { return }
        let places = Set(lines.map { [$0.account.uuidString, $0.source] })
        for line in before.statementLines(platformName: platform)
        where line.kind != .payment && !places.contains([line.account.uuidString, line.source]) {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line.reassigned, at: at))
        }
    }

    private func post(_ transfer: Transfer) { Ledger.enqueue(transfer, in: transaction) }

    private func begin(_ charge: Charge?) {
        guard let charge else { return }
        transaction.send(InsertCharge(charge: charge))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
    }

    /// - Returns: the charge, when nothing is left to ask about it.
    private func want(_ goal: Charge.Goal, of payment: Payment) async throws -> Charge? {
        guard let id = payment.charge, var charge = try await transaction.first(LockCharge(charge: id)) else {
            return nil
        }
        charge.want(goal)
        // A charge that is being asked about comes back by itself; making it due now would ask twice.
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: charge.state == .asked ? charge.pauseSeconds : 0))
        guard charge.nextRequest != nil else { return charge }
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return nil
    }

    private func tellRefused(_ payment: Payment) async throws {
        let reason = payment.refusal ?? "card-declined"
        let unattended = try await ChargeByConsent.fail(payment, because: reason, at: at, in: transaction)
        let snapshot = PaymentSnapshot(payment)
        let refused = PaymentRefused(
            payment: snapshot, method: snapshot.method ?? .card, reason: reason, at: at, unattended: unattended)
        try transaction.publish(refused)
    }

    /// Divides the escrow; the part without a payee is the platform's. For a payment by card the excess is refunded to
    /// the card, except a remainder below the payment provider's smallest step, which goes to the wallet.
    private func payOut(_ payment: Payment) async throws {
        guard payment.method?.isCharged == true, payment.toCard > 0, let id = payment.charge,
            let charge = try await transaction.first(FindCharge(charge: id))
        else { return post(Transfers.payOut(payment, returning: nil, id: .timeOrdered())) }
        let refund = Refund(
            id: .timeOrdered(), order: payment.order, market: payment.market, customer: payment.customer,
            currency: payment.currency, amount: payment.toCard, destination: .card, funder: .hold, funderAccount: nil,
            reason: "cost-less", by: nil, at: at)
        transaction.send(InsertRefund(refund: refund))
        begin(refund.charge(of: charge, id: .timeOrdered()))
        post(Transfers.payOut(payment, returning: refund, id: .timeOrdered()))
    }

    private func tellCaptured(_ payment: Payment) throws {
        func money(_ amount: Int) -> Money { Money(amount: amount, currency: payment.currency) }
        let division = payment.division
        let shares = division.parts.map { part in
            PaymentCaptured.Share(
                party: part.payee.party == .provider ? .provider : .merchant, account: part.payee.account,
                share: money(part.net), commission: money(part.commission))
        }
        try transaction.publish(
            PaymentCaptured(
                payment: PaymentSnapshot(payment), providerShare: money(division.net(of: .provider)),
                platformShare: money(division.platform), at: at, shares: payment.terms.payees.isEmpty ? nil : shares,
                // Cash never passed through the ledger, so none is returned.
                returned: payment.excess > 0 && payment.method != .cash ? money(payment.excess) : nil))
    }
}

/// A commission that nobody owes: the order has no provider. Dispatch sends no such order.
struct PaymentWithoutProvider: Error {
    let order: UUID
}

extension Payment {
    /// The part of the excess that the payment provider can refund, in minor units.
    fileprivate var toCard: Int {
        guard let known = Currency.named(currency) else { return excess }
        return excess - excess % ProviderBounds.refunds(in: known).step
    }
}
