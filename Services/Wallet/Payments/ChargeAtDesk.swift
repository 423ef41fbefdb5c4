import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Charges a customer who has agreed on the phone: the order waits for its payment, and the payment is made as for a visit
/// that is paid by consent (``ChargeByConsent``).
enum ChargeAtDesk {
    enum Refusal: Error, Hashable {
        /// The customer has no such card, or none that is released.
        case noSuchCard
        /// The card's owner has not released it for charges in absence.
        case notReleased
    }

    /// - Parameters:
    ///   - method: `card` or `wallet`.
    ///   - card: nil stands for the card that its owner has released.
    /// - Returns: the payment before the try; nil when the market has no such order.
    /// - Throws: ``Refusal``; ``PaymentRefusal``; ``Problem/accountLeaving``; a 403 ``Problem`` for an admin who is a
    ///   party of the order.
    static func begin(
        _ order: UUID, in market: Market, by method: PaymentMethod, _ card: UUID?, admin: UUID, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> Payment? {
        guard let known = try await transaction.first(FindPayment(order: order)), known.market == market.id else {
            return nil
        }
        try await RefundPayment.refuseParty(admin, of: known, in: transaction)
        try await AccountDeletionGuard.refuse(known.customer, in: transaction)
        guard let payment = try await transaction.first(LockPayment(order: order)) else { return nil }
        if let refusal = PaymentRefusal(payment, at: at) { throw refusal }
        guard let end = payment.orderDeadline, payment.amount > 0, payment.terms.promised == nil else {
            throw PaymentRefusal.payment(payment.shownState)
        }
        if method == .card { try await check(card, of: payment.customer, at: at, in: transaction) }
        transaction.send(
            PutUnattendedPayment(
                payment: UnattendedPayment(
                    order: order, method: method, card: card, agreedAt: at, upTo: payment.amount, endsAt: end,
                    isByDesk: true)))
        // Paid in the deadline's transaction, which never waits for a payment's lock.
        transaction.set(Deadline(kind: ChargeByConsent.deadlineKind, subject: order.text, dueAt: at))
        try transaction.publish(
            WalletManaged(
                market: market.id, act: .charged, subject: order,
                details: [
                    "amount": "\(payment.amount)", "currency": payment.currency, "method": method.rawValue,
                    "customer": payment.customer.text,
                ], by: admin, at: at))
        return payment
    }

    private static func check(
        _ card: UUID?, of customer: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let card else {
            let month = CardExpiry.monthNumber(at: at)
            let released = FindConsentedCard(account: customer, month: month)
            guard try await transaction.first(released) != nil else { throw Refusal.noSuchCard }
            return
        }
        guard let found = try await transaction.first(FindCard(card: card, account: customer)),
            !found.expiry.isPast(at: at)
        else { throw Refusal.noSuchCard }
        guard found.consentedAt != nil else { throw Refusal.notReleased }
    }
}

/// Inserts an order's unattended payment, or begins it anew: the tries and notices count from the start.
struct PutUnattendedPayment: Statement {
    static let sql: SQL = """
        INSERT INTO unattended_payments (order_id, method, card, agreed_at, up_to, ends_at, by_desk)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (order_id) DO UPDATE
        SET method = excluded.method, card = excluded.card, agreed_at = excluded.agreed_at, up_to = excluded.up_to,
            ends_at = excluded.ends_at, by_desk = excluded.by_desk, failures = 0, reason = NULL,
            noticed_at = NULL, is_warned = false
        """
    let payment: UnattendedPayment
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            payment.order, payment.method.rawValue, payment.card, payment.agreedAt, payment.upTo, payment.endsAt,
            payment.isByDesk)
    }
}
