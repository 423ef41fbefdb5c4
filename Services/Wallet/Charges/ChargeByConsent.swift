import Contracts
import Foundation
import Messaging
import Postgres

/// Pays for an order without its customer, such as a recurring visit: from the wallet, or with the stored card that its
/// owner consented to have charged.
///
/// A failure is published to the customer, who may pay by hand, and the payment is tried again until the order's
/// payment deadline (``UnattendedPayment``). The same obstacles count as for a payment by the customer: the market no
/// longer takes the method, the customer is blocked there for a fine, or the payment provider is down.
struct ChargeByConsent: Sendable {
    static let deadlineKind = "payment.unattended"
    /// Seconds to wait while another transaction changes the payment.
    static let busySeconds = 1.0

    /// The settings of a market; nil for a market that this version does not know, where nothing is taken.
    let settings: @Sendable (String) -> MarketSettings?
    /// How long the payment provider keeps an authorisation.
    let lifetime: Duration

    /// Begins the payment of a due order without its customer.
    ///
    /// Skipped for an order with a promised discount: the promo code is used only when the customer pays, and nobody
    /// who was promised a discount is charged the whole price.
    ///
    /// - Parameter payment: locked by this transaction; ignored unless it is due.
    func begin(
        _ payment: Payment, of order: OrderSnapshot, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard payment.state == .due, payment.amount > 0, payment.terms.promised == nil,
            let plan = UnattendedPayment(order)
        else { return }
        transaction.send(InsertUnattendedPayment(payment: plan))
        // A wallet payment is posted with the commit, so it runs in a deadline's transaction, which never waits for a
        // payment's lock.
        guard plan.method == .card else { return look(plan.order, at: at, in: transaction) }
        look(plan.order, at: at.addingTimeInterval(UnattendedPayment.lookSeconds), in: transaction)
        try await pay(payment, by: plan, at: at, in: transaction)
    }

    /// Handles the deadline for another try.
    ///
    /// Never waits for the payment's lock: its holder may be about to set this very deadline.
    func fire(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let order = UUID(uuidString: deadline.subject) else {
            throw UnreadableSubject(subject: deadline.subject)
        }
        guard let plan = try await transaction.first(FindUnattendedPayment(order: order)) else { return }
        guard let payment = try await transaction.first(TryLockPayment(order: order)) else {
            return look(order, at: now.addingTimeInterval(Self.busySeconds), in: transaction)
        }
        // The payment deadline may have passed, with the order's end still to be heard.
        let isOpen = payment.state == .due || payment.state == .authorising
        guard isOpen, now < plan.endsAt else { return transaction.send(DeleteUnattendedPayment(order: order)) }
        let later = now.addingTimeInterval(UnattendedPayment.lookSeconds)
        guard payment.state == .due else { return look(order, at: min(later, plan.endsAt), in: transaction) }
        if !plan.isWorthTrying {
            guard plan.notice(at: now) != .none else {
                return look(order, at: plan.nextLook(after: now), in: transaction)
            }
            return try await refuse(payment, plan, because: plan.reason ?? "", at: now, in: transaction)
        }
        look(order, at: min(later, plan.endsAt), in: transaction)
        try await pay(payment, by: plan, at: now, in: transaction)
    }

    private func look(_ order: UUID, at due: Date, in transaction: PostgresTransaction) {
        transaction.set(Deadline(kind: Self.deadlineKind, subject: order.text, dueAt: due))
    }

    private func pay(
        _ payment: Payment, by plan: UnattendedPayment, at: Date, in transaction: PostgresTransaction
    ) async throws {
        var paid = payment
        var effects = PaymentEffects(transaction: transaction, at: at)
        if let reason = try await obstacle(payment, plan, in: transaction) {
            return try await refuse(payment, plan, because: reason, at: at, in: transaction)
        }
        guard plan.method == .card else {
            // If another transaction takes the money first, this one rolls back and the deadline fires again.
            effects.postsWithCommit = true
            // try?: a payment that is refused here is past its deadline, and the order's end will follow.
            guard let held = try? paid.pay(by: .wallet, at: at) else { return }
            return try await effects.perform(held, of: paid)
        }
        guard let instrument = try await instrument(of: payment, plan, at: at, in: transaction) else {
            return try await refuse(payment, plan, because: "no-such-card", at: at, in: transaction)
        }
        let charge = Charge(
            id: .timeOrdered(), purpose: .payment, subject: payment.id, amount: payment.amount,
            currency: payment.currency, with: instrument, madeAt: at,
            captureAt: Charge.captureAt(madeAt: at, lifetimeSeconds: lifetime / .seconds(1)))
        // try?: as above.
        guard let beginning = try? paid.pay(by: .card, charge: charge.id, at: at) else { return }
        try await effects.perform(beginning, of: paid, beginning: charge)
    }

    private func refuse(
        _ payment: Payment, _ plan: UnattendedPayment, because reason: String, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        var refused = payment
        let effects = refused.refuseCharge(by: plan.method, reason: reason)
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: refused)
    }

    /// - Returns: the reason why nothing may be taken, as published to the customer; nil when there is none.
    private func obstacle(
        _ payment: Payment, _ plan: UnattendedPayment, in transaction: PostgresTransaction
    ) async throws -> String? {
        if let upTo = plan.upTo, payment.amount > upTo { return "price-not-agreed" }
        guard settings(payment.market)?.paymentMethods.contains(plan.method.rawValue) == true else {
            return "method-not-allowed"
        }
        if AmountOutOfBounds(payment.amount, payment.currency, .payment) != nil { return AmountOutOfBounds.reason }
        let block = FindBlock(account: payment.customer, market: payment.market)
        if try await transaction.first(block) != nil { return "account-blocked" }
        guard plan.method == .wallet else { return nil }
        if try await WalletFreeze.isFrozen(payment.customer, in: transaction) { return "wallet-frozen" }
        let balances = try await transaction.query(ListBalances(account: payment.customer))
        let wallet = AccountReference.wallet(payment.customer, payment.currency)
        // Other payments of the same customer may be posted with the same commit.
        let taken = LedgerBuffer.of(transaction).change(of: wallet)
        let balance = (balances.first { $0.currency == payment.currency }?.amount ?? 0) + taken
        return balance >= payment.amount ? nil : "insufficient-funds"
    }

    /// The card named with the consent, or one that its owner consented to have charged. Its removal is prevented.
    private func instrument(
        of payment: Payment, _ plan: UnattendedPayment, at: Date, in transaction: PostgresTransaction
    ) async throws -> Instrument? {
        guard let id = plan.card else {
            let month = CardExpiry.monthNumber(at: at)
            let card = try await transaction.first(FindConsentedCard(account: payment.customer, month: month))
            return card.flatMap { Instrument(byConsentOf: $0) }
        }
        guard let card = try await transaction.first(FindCard(card: id, account: payment.customer)),
            !card.expiry.isPast(at: at), !plan.isByDesk || card.consentedAt != nil,
            try await transaction.first(ShareLockCard(account: card.account, reference: card.reference)) != nil
        else { return nil }
        return Instrument(renewing: card, agreedAt: plan.agreedAt ?? at)
    }

    /// Records a failed attempt without the customer: sets the next try and returns the notice to publish.
    ///
    /// - Parameter payment: locked by this transaction.
    /// - Returns: nil when the customer made the attempt.
    static func fail(
        _ payment: Payment, because reason: String, at: Date, in transaction: PostgresTransaction
    ) async throws -> PaymentRefused.Unattended? {
        guard var plan = try await transaction.first(FindUnattendedPayment(order: payment.order)) else { return nil }
        if let id = payment.charge {
            guard try await transaction.first(FindCharge(charge: id))?.consentedAt != nil else { return nil }
        }
        let notice = plan.fail(because: reason, at: at)
        transaction.send(UpdateUnattendedPayment(payment: plan))
        transaction.set(
            Deadline(kind: deadlineKind, subject: payment.order.text, dueAt: plan.nextLook(after: at)))
        return PaymentRefused.Unattended(notice: .init(notice), until: plan.endsAt)
    }
}

extension UnattendedPayment {
    /// The plan for an order that is paid now; nil when its customer pays it.
    init?(_ order: OrderSnapshot) {
        guard order.isUnattended, let end = order.deadline else { return nil }
        self.init(
            order: order.order, method: order.consent?.method == .wallet ? .wallet : .card, card: order.consent?.card,
            agreedAt: order.consent?.agreedAt, upTo: order.consent?.upTo, endsAt: end,
            isByDesk: order.consent?.isByDesk == true)
    }
}

extension PaymentRefused.Unattended.Notice {
    init(_ notice: UnattendedPayment.Notice) {
        self =
            switch notice {
            case .first: .first
            case .reminder: .reminder
            case .last: .last
            case .none: .none
            }
    }
}
