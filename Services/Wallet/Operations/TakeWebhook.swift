import Foundation
import Messaging
import Postgres

/// Lets a webhook of the payment provider have its effect, once.
enum TakeWebhook {
    /// - Returns: whether it was new and about a charge of ours.
    static func take(_ event: StripeJSON.Event, at: Date, in transaction: PostgresTransaction) async throws -> Bool {
        guard try await transaction.execute(RememberWebhook(id: event.id)) == 1 else { return false }
        guard let id = try await charge(of: event.data.object, in: transaction),
            let charge = try await transaction.first(FindCharge(charge: id)),
            let outcome = outcome(of: event, charge)
        else { return false }
        try await RecordCharge.record(outcome, reference: event.data.object.id, of: id, at: at, in: transaction)
        return true
    }

    /// Found by what we told the payment provider, since its first answer may have been lost.
    private static func charge(
        of intent: StripeJSON.PaymentIntent, in transaction: PostgresTransaction
    ) async throws -> UUID? {
        if let id = intent.metadata?["charge"].flatMap(UUID.init(uuidString:)) { return id }
        return try await transaction.first(FindChargeByReference(reference: intent.id))
    }

    private static func outcome(of event: StripeJSON.Event, _ charge: Charge) -> Charge.Outcome? {
        let intent = event.data.object
        // A reference is never exchanged for another: the charge knows its payment intent once it was answered.
        guard charge.reference == nil || charge.reference == intent.id else { return nil }
        guard let outcome = PaymentProvider.outcome(of: intent, charge) else { return nil }
        switch (event.type, outcome) {
        case ("payment_intent.amount_capturable_updated", .authorised), ("payment_intent.succeeded", .captured),
            ("payment_intent.canceled", .cancelled), ("payment_intent.payment_failed", .declined):
            return outcome
        default: return nil
        }
    }
}
