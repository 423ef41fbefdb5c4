import Foundation
import Messaging
import Postgres

/// Lets a webhook of the payment provider have its effect, once.
enum TakeWebhook {
    /// What became of a payment intent.
    ///
    /// - Returns: whether it was new and about a charge of ours.
    static func take(_ event: StripeJSON.Event, at: Date, in transaction: PostgresTransaction) async throws -> Bool {
        // Of a payment intent that is made, or being worked on, there is nothing to remember.
        guard followed.contains(event.type) else { return false }
        let intent = event.data.object
        guard let charge = try await charge(event.id, of: intent.id, intent.metadata, in: transaction),
            let outcome = outcome(of: event, charge)
        else { return false }
        try await RecordCharge.record(outcome, reference: intent.id, of: charge, at: at, in: transaction)
        return true
    }

    /// What was captured has been given back. A part of it is not followed, nor is the whole of what has gone on from here.
    ///
    /// - Returns: a new one of a charge of ours that is not followed, and more than was asked for from here.
    static func take(
        _ event: StripeJSON.RefundEvent, at: Date, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent? {
        let refund = event.data.object
        guard let intent = refund.payment_intent,
            let charge = try await charge(event.id, of: intent, refund.metadata, in: transaction)
        else { return nil }
        let asked = try await transaction.first(SumRefundsAsked(reference: intent)) ?? 0
        let isAsked = asked >= refund.amount_refunded ?? (refund.refunded ? charge.amount : .max)
        guard refund.refunded else {
            return isAsked ? nil : try await unfollowed(.partialRefund, charge, in: transaction)
        }
        let hasGoneOn = try await hasGoneOn(charge, in: transaction)
        try await RecordCharge.record(.refunded, reference: intent, of: charge, at: at, in: transaction)
        return hasGoneOn && !isAsked ? try await unfollowed(.wholeRefund, charge, in: transaction) : nil
    }

    /// Whether a captured charge's money is where it was meant to go: with those who were paid, or in a wallet.
    private static func hasGoneOn(_ charge: Charge, in transaction: PostgresTransaction) async throws -> Bool {
        // What it is for before the charge, as everywhere.
        let (payments, _, _, charges) = try await transaction.queryAll(
            LockPaymentOfCharge(charge: charge.id), LockTopUpOfCharge(charge: charge.id),
            LockSubscriptionOfCharge(charge: charge.id), LockCharge(charge: charge.id))
        guard let known = charges.first, known.state == .captured, known.goal != .cancel else { return false }
        return payments.first.map { $0.charge == charge.id && [.captured, .credited].contains($0.state) }
            ?? (known.purpose != .payment)
    }

    /// A charge is disputed, which is not followed.
    ///
    /// - Returns: a new one of a charge of ours.
    static func take(
        _ event: StripeJSON.DisputeEvent, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent? {
        guard let intent = event.data.object.payment_intent,
            let charge = try await charge(event.id, of: intent, nil, in: transaction)
        else { return nil }
        return try await unfollowed(.dispute, charge, in: transaction)
    }

    private static func unfollowed(
        _ kind: UnfollowedEvent.Kind, _ charge: Charge, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent {
        let order = try await transaction.first(FindOrderOfPayment(payment: charge.subject))
        return UnfollowedEvent(kind: kind, subject: charge.id, order: order)
    }

    /// A refund of ours did not arrive. What somebody gives back there has no name of ours, and is not followed.
    ///
    /// - Returns: whether it was new, failed, and of a charge of ours.
    static func take(
        _ event: StripeJSON.RefundChange, at: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        guard try await transaction.execute(RememberWebhook(id: event.id)) == 1 else { return false }
        let refund = event.data.object
        guard PaymentProviderAnswer.outcome(ofRefund: refund.status) == .refundFailed,
            let told = refund.metadata?["charge"].flatMap(UUID.init(uuidString:)),
            let charge = try await transaction.first(FindCharge(charge: told)),
            let intent = refund.payment_intent, charge.reference == intent,
            refund.amount == charge.amount, refund.currency?.uppercased() == charge.currency
        else { return false }
        try await RecordCharge.record(.refundFailed, reference: nil, of: charge, at: at, in: transaction)
        return true
    }

    /// The charge that a payment intent is; nil when the event was taken before, or is about none of ours.
    ///
    /// Found by what we told the payment provider, since its first answer may have been lost.
    private static func charge(
        _ event: String, of intent: String, _ metadata: [String: String]?, in transaction: PostgresTransaction
    ) async throws -> Charge? {
        guard try await transaction.execute(RememberWebhook(id: event)) == 1 else { return nil }
        let told = metadata?["charge"].flatMap(UUID.init(uuidString:))
        let byIntent = told == nil ? try await transaction.first(FindChargeByReference(reference: intent)) : nil
        guard let found = told ?? byIntent, let charge = try await transaction.first(FindCharge(charge: found)) else {
            return nil
        }
        // A reference is never exchanged for another: the charge knows its payment intent once it was answered.
        return charge.reference == nil || charge.reference == intent ? charge : nil
    }

    /// The events of payment intents from which something may follow.
    private static let followed: Set = [
        "payment_intent.requires_action", "payment_intent.amount_capturable_updated", "payment_intent.succeeded",
        "payment_intent.canceled", "payment_intent.payment_failed",
    ]

    private static func outcome(of event: StripeJSON.Event, _ charge: Charge) -> Charge.Outcome? {
        guard let outcome = PaymentProviderAnswer.outcome(of: event.data.object, charge) else { return nil }
        switch (event.type, outcome) {
        case ("payment_intent.requires_action", .actionRequired), ("payment_intent.requires_action", .actionUnknown),
            ("payment_intent.amount_capturable_updated", .authorised), ("payment_intent.succeeded", .captured),
            ("payment_intent.canceled", .cancelled), ("payment_intent.payment_failed", .declined):
            return outcome
        default: return nil
        }
    }
}

/// Something that the payment provider tells of money and from which nothing follows here: somebody has to look at it.
struct UnfollowedEvent: Hashable, Sendable {
    enum Kind: String, Sendable {
        case partialRefund, wholeRefund, dispute
        /// A cash-out was paid by another payout already, or counts as failed.
        case secondPayout
    }

    let kind: Kind
    /// The charge, or the cash-out.
    let subject: UUID
    /// Nil of a top-up, a subscription and a cash-out.
    let order: UUID?
}
