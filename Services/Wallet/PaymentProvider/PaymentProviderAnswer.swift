import Foundation
import SeraiJSON

/// A reply to a request about a charge, and its meaning.
struct PaymentProviderAnswer: Sendable {
    let status: UInt
    let body: Data

    func meaning(of request: Charge.Request, _ charge: Charge) -> PaymentProvider.Answer {
        switch status {
        case 200:
            switch request {
            case .refund, .findRefund: refunded()
            case .find: found(charge)
            case .authorise, .take, .check, .capture, .cancel: done(request, charge)
            }
        case 400, 402, 404: refused(request, charge)
        // Statuses above 500 come from proxies in front of the payment provider, which store nothing under the key.
        case 500 where request != .check && request != .find: .fault("HTTP 500")
        // Wrong API keys, rate limits, keys in use, and everything from 501 on: not known now.
        default: .unknown("HTTP \(status)")
        }
    }

    /// Whether an earlier request was sent under the same key with another form.
    var isKeyReused: Bool {
        // try?: an unreadable error is not this one.
        status == 400
            && (try? JSON.wire.decode(StripeJSON.ErrorAnswer.self, body))?.error.type == "idempotency_error"
    }

    private func done(_ request: Charge.Request, _ charge: Charge) -> PaymentProvider.Answer {
        guard let intent = try? JSON.wire.decode(StripeJSON.PaymentIntent.self, body) else {
            return .unexpected("unreadable")
        }
        guard let outcome = Self.outcome(of: intent, charge), Self.ends(request, outcome) else {
            return .unexpected("status \(Self.word(intent.status))")
        }
        return .known(outcome, reference: intent.id)
    }

    private func found(_ charge: Charge) -> PaymentProvider.Answer {
        guard let intents = try? JSON.wire.decode(StripeJSON.Found.self, body).data else {
            return .unexpected("unreadable")
        }
        // A search may return several payment intents; only the one with this charge's id counts.
        guard let intent = intents.first(where: { $0.metadata?["charge"] == charge.id.uuidString.lowercased() }) else {
            return .absent
        }
        guard let outcome = Self.outcome(of: intent, charge) else {
            return .unexpected("status \(Self.word(intent.status))")
        }
        return .known(outcome, reference: intent.id)
    }

    private func refunded() -> PaymentProvider.Answer {
        guard let refund = try? JSON.wire.decode(StripeJSON.Refund.self, body) else {
            return .unexpected("unreadable")
        }
        guard let outcome = Self.outcome(ofRefund: refund.status) else {
            return .unexpected("refund \(Self.word(refund.status ?? ""))")
        }
        return .known(outcome, reference: nil)
    }

    /// The meaning of a refund's status; nil for a status in which a refund cannot end.
    static func outcome(ofRefund status: String?) -> Charge.Outcome? {
        switch status {
        // `pending` is on its way to the card's bank; a webhook tells if it fails.
        case "succeeded", "pending": .refunded
        case "failed", "canceled": .refundFailed
        default: nil
        }
    }

    private func refused(_ request: Charge.Request, _ charge: Charge) -> PaymentProvider.Answer {
        // try?: a reply that is none of the payment provider's errors says nothing.
        guard let answer = try? JSON.wire.decode(StripeJSON.ErrorAnswer.self, body) else {
            return .unexpected("HTTP \(status)")
        }
        // An earlier request under this key had another form, and may have been performed.
        if answer.error.type == "idempotency_error" { return .unknown("idempotency_error") }
        switch request {
        case .authorise, .take:
            return .known(.declined(reason: answer.error.reason), reference: answer.subject.payment_intent?.id)
        case .refund where answer.error.code == "charge_already_refunded",
            .findRefund where answer.error.code == "charge_already_refunded":
            return .known(.refunded, reference: nil)
        case .refund where isForGood(answer.error, charge), .findRefund where isForGood(answer.error, charge):
            return .refused("HTTP \(status) \(Self.word(answer.error.code ?? ""))")
        case .capture, .cancel:
            // The request may be refused because it was already performed; the payment intent in the reply shows that.
            if let intent = answer.subject.payment_intent, let outcome = Self.outcome(of: intent, charge),
                Self.ends(request, outcome)
            {
                return .known(outcome, reference: intent.id)
            }
        case .refund, .findRefund, .check, .find: break
        }
        return .unexpected("HTTP \(status) \(Self.word(answer.error.code ?? ""))")
    }

    /// Error codes of temporary refusals: API keys of another account or mode, a low balance of the platform, or a lock
    /// or rate limit.
    private static let passing: Set = [
        "resource_missing", "testmode_charges_only", "livemode_mismatch", "platform_api_key_expired", "api_key_expired",
        "balance_insufficient", "insufficient_funds", "lock_timeout", "rate_limit",
    ]

    /// Whether a refund is refused permanently, because less is left of the charge or the bank has taken the money
    /// back. The amount then returns to the wallet. A payment's whole refund has left no wallet, so an operator has to
    /// look at it.
    private func isForGood(_ error: StripeJSON.Failure, _ charge: Charge) -> Bool {
        guard charge.purpose == .refund || charge.purpose == .topUp, status != 404 else { return false }
        return ["invalid_request_error", "card_error"].contains(error.type) && !Self.passing.contains(error.code ?? "")
    }

    /// Whether a request can end with an outcome. A capture and a cancellation may each find that the other one
    /// happened.
    private static func ends(_ request: Charge.Request, _ outcome: Charge.Outcome) -> Bool {
        switch request {
        case .authorise, .take, .check, .find: true
        case .capture, .cancel: outcome == .captured || outcome == .cancelled
        case .refund, .findRefund: outcome == .refunded
        }
    }

    /// The meaning of a payment intent's status; nil while it is open, or when it does not match the charge.
    static func outcome(of intent: StripeJSON.PaymentIntent, _ charge: Charge) -> Charge.Outcome? {
        let counted = PaymentProvider.counted(charge.amount, charge.currency)
        guard intent.amount == nil || intent.amount == counted,
            intent.currency == nil || intent.currency?.uppercased() == charge.currency
        else { return nil }
        switch intent.status {
        case "requires_capture": return .authorised
        // A partial capture, made in the dashboard, is not what was held.
        case "succeeded": return intent.amount_received ?? counted == counted ? .captured : nil
        case "canceled": return .cancelled
        case "requires_action":
            return intent.next_action?.redirect_to_url.map { .actionRequired(url: $0.url) } ?? .actionUnknown
        // Nothing is held: another card is required.
        case "requires_payment_method":
            return .declined(reason: intent.last_payment_error?.reason ?? "card-declined")
        default: return nil
        }
    }

    /// The characters of a reply's word that may be logged; the payment provider's own words are short and plain.
    private static func word(_ text: String) -> String {
        String(text.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    }
}
