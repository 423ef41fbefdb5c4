import Contracts
import Foundation
import Messaging
import Postgres

/// Pays for an order whose customer is not there, such as a visit that comes again: from the wallet, or from the stored card
/// that its owner agreed to have charged.
///
/// What comes to nothing is told to the customer, who may pay by hand, and is tried again until the order's time to be paid
/// is over (``UnattendedPayment``). So it is when the market takes no cards any more, the customer is blocked there for a
/// fine, or the payment provider is away: as if the customer had asked.
struct ChargeByConsent: Sendable {
    static let deadlineKind = "payment.unattended"
    /// How long it is put off while somebody else changes the payment.
    static let busySeconds = 1.0

    /// By market; nil for one that this program does not know, where nothing is taken.
    let settings: @Sendable (String) -> MarketSettings?
    /// How long the payment provider keeps an authorisation.
    let lifetime: Duration

    /// An order has become due that is paid without its customer.
    ///
    /// Nobody is charged the whole price who was promised a part of it: that is used when the customer pays.
    ///
    /// - Parameter payment: locked by this transaction; nothing happens unless it is due.
    func begin(
        _ payment: Payment, of order: OrderSnapshot, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard payment.state == .due, payment.amount > 0, payment.terms.promised == nil,
            let plan = UnattendedPayment(order)
        else { return }
        transaction.send(InsertUnattendedPayment(payment: plan))
        // A wallet is posted to with the commit of a transaction that locks no other payment by waiting.
        guard plan.method == .card else { return look(plan.order, at: at, in: transaction) }
        look(plan.order, at: at.addingTimeInterval(UnattendedPayment.lookSeconds), in: transaction)
        try await pay(payment, by: plan, at: at, in: transaction)
    }

    /// Its time to be tried again has come.
    ///
    /// It never waits for the payment: who has it may be about to set this very deadline.
    func fire(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let order = UUID(uuidString: deadline.subject) else {
            throw UnreadableSubject(subject: deadline.subject)
        }
        guard let plan = try await transaction.first(FindUnattendedPayment(order: order)) else { return }
        guard let payment = try await transaction.first(LockPaymentAtOnce(order: order)) else {
            return look(order, at: now.addingTimeInterval(Self.busySeconds), in: transaction)
        }
        // Its time may be over, and the order's own end on its way.
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
            // What was posted meanwhile undoes the transaction, and the deadline comes again.
            effects.postsWithCommit = true
            // try?: what cannot be paid now is past its time, and its end is on its way.
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

    /// - Returns: why nothing may be charged for it, as the customer is told.
    private func obstacle(
        _ payment: Payment, _ plan: UnattendedPayment, in transaction: PostgresTransaction
    ) async throws -> String? {
        if let upTo = plan.upTo, payment.amount > upTo { return "price-not-agreed" }
        guard settings(payment.market)?.paymentMethods.contains(plan.method.rawValue) == true else {
            return "method-not-allowed"
        }
        if OutOfBounds(payment.amount, payment.currency, .payment) != nil { return OutOfBounds.reason }
        let block = FindBlock(account: payment.customer, market: payment.market)
        if try await transaction.first(block) != nil { return "account-blocked" }
        guard plan.method == .wallet else { return nil }
        let balances = try await transaction.query(ListBalances(account: payment.customer))
        let wallet = AccountReference.wallet(payment.customer, payment.currency)
        // Others of the same customer may be paid with the same commit.
        let taken = LedgerBuffer.of(transaction).change(of: wallet)
        let balance = (balances.first { $0.currency == payment.currency }?.amount ?? 0) + taken
        return balance >= payment.amount ? nil : "insufficient-funds"
    }

    /// The card that was named with the consent, or one that its owner agreed to have charged. It is kept from being removed.
    private func instrument(
        of payment: Payment, _ plan: UnattendedPayment, at: Date, in transaction: PostgresTransaction
    ) async throws -> Instrument? {
        guard let id = plan.card else {
            let month = CardExpiry.monthNumber(at: at)
            let card = try await transaction.first(FindConsentedCard(account: payment.customer, month: month))
            return card.flatMap { Instrument(byConsentOf: $0) }
        }
        guard let card = try await transaction.first(FindCard(card: id, account: payment.customer)),
            !card.expiry.isPast(at: at),
            try await transaction.first(KeepCard(account: card.account, reference: card.reference)) != nil
        else { return nil }
        return Instrument(renewing: card, agreedAt: plan.agreedAt ?? at)
    }

    /// An attempt without the customer has come to nothing: when it is tried again, and what the customer is told.
    ///
    /// - Parameter payment: locked by this transaction.
    /// - Returns: nil when the customer has tried it.
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
    /// Of an order that is to be paid now; nil when its customer pays it.
    init?(_ order: OrderSnapshot) {
        guard order.isUnattended, let end = order.deadline else { return nil }
        self.init(
            order: order.order, method: order.consent?.method == .wallet ? .wallet : .card, card: order.consent?.card,
            agreedAt: order.consent?.agreedAt, upTo: order.consent?.upTo, endsAt: end)
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
