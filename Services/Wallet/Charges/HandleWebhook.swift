import Foundation
import Messaging
import Postgres
import ServiceKit

/// Applies a webhook of the payment provider once.
enum HandleWebhook {
    /// Handles an event about a payment intent.
    ///
    /// - Returns: whether the event was new and about a charge of this service.
    static func take(_ event: StripeJSON.Event, at: Date, in transaction: PostgresTransaction) async throws -> Bool {
        // Events such as `created` and `processing` change nothing and are not remembered.
        guard followed.contains(event.type) else { return false }
        let intent = event.data.object
        guard let charge = try await charge(event.id, of: intent.id, intent.metadata, in: transaction),
            let outcome = outcome(of: event, charge)
        else { return false }
        try await RecordCharge.record(outcome, reference: intent.id, of: charge, at: at, in: transaction)
        return true
    }

    /// Handles a refund of a captured charge. A refund that was not asked for here, of money that has gone on, is taken
    /// from its holder (``ApplyDispute``). A partial refund of money that is held for an order is not followed.
    ///
    /// - Returns: a new event that is not followed.
    static func take(
        _ event: StripeJSON.RefundEvent, at: Date, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent? {
        let refund = event.data.object
        guard let intent = refund.payment_intent,
            let charge = try await charge(event.id, of: intent, refund.metadata, in: transaction),
            let charged = try await ApplyDispute.charged(charge.id, in: transaction)
        else { return nil }
        let asked = try await transaction.first(SumRefundsAsked(reference: intent)) ?? 0
        let told = refund.amount_refunded.map { PaymentProvider.minorUnits($0, charge.currency) }
        let refunded = told ?? (refund.refunded ? charge.amount : nil)
        let known = try await lock(charge, in: transaction)
        // The capture is not recorded yet. Refuses the webhook, so that it is sent again after the capture.
        if !refund.refunded, charge.purpose.takesAtOnce, let known,
            known.nextRequest == .take || known.awaitsConfirmation
        {
            throw Problem.paymentState(.authorising)
        }
        if let refunded { transaction.send(NoteToldRefund(charge: charge.id, amount: refunded)) }
        let hasGoneOn = try await hasGoneOn(charge, known, in: transaction)
        if hasGoneOn, let refunded, let known {
            let before = try await transaction.first(SumOutsideRefunds(charge: charge.id)) ?? 0
            if refunded - asked - before > 0 {
                let word = ApplyDispute.Word(
                    reference: "\(intent):\(refunded)", kind: .refund, state: .made, amount: refunded - asked - before,
                    reason: nil)
                _ = try await ApplyDispute.hear(word, of: known, charged, at: at, in: transaction)
            }
        }
        if refund.refunded {
            try await RecordCharge.record(.refunded, reference: intent, of: charge, at: at, in: transaction)
        } else if !hasGoneOn, asked < refunded ?? .max {
            return try await unfollowed(.partialRefund, charge, in: transaction)
        }
        return nil
    }

    /// Locks the charge's subject before the charge, as everywhere.
    private static func lock(_ charge: Charge, in transaction: PostgresTransaction) async throws -> Charge? {
        let (_, _, _, charges) = try await transaction.queryAll(
            LockPaymentOfCharge(charge: charge.id), LockTopUpOfCharge(charge: charge.id),
            LockSubscriptionOfCharge(charge: charge.id), LockCharge(charge: charge.id))
        return charges.first
    }

    /// Whether a captured charge's money has reached its destination: paid out, or in a wallet.
    ///
    /// - Parameter locked: the charge, locked after its subject. A charge that was refunded whole from outside has gone
    ///   on as well.
    private static func hasGoneOn(
        _ charge: Charge, _ locked: Charge?, in transaction: PostgresTransaction
    ) async throws -> Bool {
        guard let known = locked, known.state == .captured, known.goal != .cancel else { return false }
        return try await transaction.first(LockPaymentOfCharge(charge: charge.id)).map {
            $0.charge == charge.id && [.captured, .credited].contains($0.state)
        }
            ?? (known.purpose != .payment)
    }

    /// Handles an event about a dispute of a charge.
    static func take(
        _ event: StripeJSON.DisputeEvent, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let told = event.data.object
        guard let intent = told.payment_intent, let reference = told.id, (1...255).contains(reference.utf8.count),
            let state = told.status.flatMap(Dispute.State.init(provider:)),
            let charge = try await charge(event.id, of: intent, nil, in: transaction),
            let charged = try await ApplyDispute.charged(charge.id, in: transaction),
            let known = try await lock(charge, in: transaction)
        else { return }
        let isSame = told.currency.map { $0.uppercased() == charge.currency } ?? true
        let amount = isSame ? told.amount.map { PaymentProvider.minorUnits($0, charge.currency) } : nil
        let disputed = amount ?? charge.amount
        // A dispute over zero takes and freezes nothing.
        guard disputed > 0 else { return }
        let word = ApplyDispute.Word(
            reference: reference, kind: .dispute, state: state, amount: disputed,
            reason: told.reason.map { String($0.prefix(100)) })
        _ = try await ApplyDispute.hear(word, of: known, charged, at: at, in: transaction)
    }

    private static func unfollowed(
        _ kind: UnfollowedEvent.Kind, _ charge: Charge, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent {
        let order = try await transaction.first(FindOrderOfPayment(payment: charge.subject))
        return UnfollowedEvent(kind: kind, subject: charge.id, order: order)
    }

    /// Handles a failed refund of this service. A refund made in the dashboard does not carry our metadata and is not
    /// followed.
    ///
    /// - Returns: a new event about a failed refund that names a charge of this service and does not fit it.
    static func take(
        _ event: StripeJSON.RefundChange, at: Date, in transaction: PostgresTransaction
    ) async throws -> UnfollowedEvent? {
        guard try await transaction.execute(RememberWebhook(id: event.id)) == 1 else { return nil }
        let refund = event.data.object
        guard PaymentProviderAnswer.outcome(ofRefund: refund.status) == .refundFailed,
            let told = refund.metadata?["charge"].flatMap(UUID.init(uuidString:)),
            let charge = try await transaction.first(FindCharge(charge: told))
        else { return nil }
        guard let intent = refund.payment_intent, charge.reference == intent,
            refund.amount == PaymentProvider.counted(charge.amount, charge.currency),
            refund.currency?.uppercased() == charge.currency
        else { return try await unfollowed(.otherRefund, charge, in: transaction) }
        try await RecordCharge.record(.refundFailed, reference: nil, of: charge, at: at, in: transaction)
        return nil
    }

    /// Finds the charge of a payment intent; nil when the event was handled before or concerns none of our charges.
    ///
    /// Uses the charge id from our metadata, since the first answer, which has the payment intent's id, may have been
    /// lost.
    private static func charge(
        _ event: String, of intent: String, _ metadata: [String: String]?, in transaction: PostgresTransaction
    ) async throws -> Charge? {
        guard try await transaction.execute(RememberWebhook(id: event)) == 1 else { return nil }
        let told = metadata?["charge"].flatMap(UUID.init(uuidString:))
        let byIntent = told == nil ? try await transaction.first(FindChargeByReference(reference: intent)) : nil
        guard let found = told ?? byIntent, let charge = try await transaction.first(FindCharge(charge: found)) else {
            return nil
        }
        // Once answered, a charge keeps its payment intent; another one's event is ignored.
        return charge.reference == nil || charge.reference == intent ? charge : nil
    }

    /// The payment intent events that can have an effect.
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

/// An event about money that has no effect here; an operator has to look at it.
struct UnfollowedEvent: Hashable, Sendable {
    enum Kind: String, Sendable {
        /// A part of the money held for an order was refunded in the dashboard.
        case partialRefund
        /// A refund that failed and names a charge, but not its payment intent, amount or currency.
        case otherRefund
        /// A cash-out that another payout already paid, or that counts as failed.
        case secondPayout
    }

    let kind: Kind
    /// The id of the charge or cash-out.
    let subject: UUID
    /// Nil for a top-up, a subscription and a cash-out.
    let order: UUID?
}

extension Dispute.State {
    /// - Parameter provider: the payment provider's status of a dispute.
    init?(provider: String) {
        switch provider {
        case "warning_needs_response", "warning_under_review": self = .inquiry
        case "needs_response", "under_review": self = .open
        case "won": self = .won
        case "lost": self = .lost
        // A refund made instead arrives as an event of its own.
        case "warning_closed", "prevented", "charge_refunded": self = .dismissed
        default: return nil
        }
    }
}
