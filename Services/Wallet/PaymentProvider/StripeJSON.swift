/// The parts of the payment provider's replies and events that are read.
enum StripeJSON {
    struct PaymentMethod: Decodable {
        struct Card: Decodable {
            struct Wallet: Decodable { let type: String }
            let brand: String
            let last4: String
            let exp_month: Int
            let exp_year: Int
            /// Equal for equal numbers.
            let fingerprint: String?
            /// The phone's wallet that the card came from.
            let wallet: Wallet?
        }
        let id: String
        /// The customer to whom it is attached.
        let customer: String?
        let card: Card
    }

    struct Identified: Decodable { let id: String }

    /// A payment method and its customer.
    struct Owned: Decodable {
        let id: String
        let customer: String?
    }

    /// Where the customer must confirm a payment.
    struct NextAction: Decodable {
        struct Redirect: Decodable { let url: String }
        let redirect_to_url: Redirect?
    }

    struct Found: Decodable { let data: [PaymentIntent] }

    struct PaymentIntent: Decodable {
        let id: String
        let status: String
        let amount: Int?
        let amount_received: Int?
        let currency: String?
        let metadata: [String: String]?
        let last_payment_error: Failure?
        let next_action: NextAction?
    }

    struct Refund: Decodable {
        let status: String?
    }

    /// A page of a payment intent's refunds, newest first.
    struct Refunds: Decodable {
        struct Item: Decodable {
            let id: String
            let status: String?
            let metadata: [String: String]?
        }
        let data: [Item]
        let has_more: Bool
    }

    struct Failure: Decodable {
        let type: String?
        let code: String?
        let decline_code: String?
    }

    struct ErrorAnswer: Decodable {
        struct Subject: Decodable { let payment_intent: PaymentIntent? }
        let error: Failure
        let subject: Subject

        private enum CodingKeys: String, CodingKey { case error }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            error = try container.decode(Failure.self, forKey: .error)
            subject = try container.decode(Subject.self, forKey: .error)
        }
    }

    struct Event: Decodable {
        struct Content: Decodable { let object: PaymentIntent }
        let id: String
        let type: String
        let data: Content
    }

    /// A refund of a captured charge, by this service or in the dashboard.
    struct RefundEvent: Decodable {
        struct Content: Decodable { let object: Charge }
        struct Charge: Decodable {
            let payment_intent: String?
            /// Whether the whole charge was refunded.
            let refunded: Bool
            /// The sum of all refunds so far, in the payment provider's units.
            let amount_refunded: Int?
            let metadata: [String: String]?
        }
        let id: String
        let data: Content
    }

    /// A change of a refund after its request.
    struct RefundChange: Decodable {
        struct Content: Decodable { let object: Object }
        struct Object: Decodable {
            let payment_intent: String?
            let status: String?
            let amount: Int?
            let currency: String?
            let metadata: [String: String]?
        }
        let id: String
        let data: Content
    }

    /// The state of a dispute.
    struct DisputeEvent: Decodable {
        struct Content: Decodable { let object: Dispute }
        struct Dispute: Decodable {
            let id: String?
            let payment_intent: String?
            let status: String?
            /// In the payment provider's units.
            let amount: Int?
            let currency: String?
            let reason: String?
        }
        let id: String
        let data: Content
    }

    /// The head of any event; its object may be anything.
    struct EventHead: Decodable {
        let id: String
        let type: String
        /// The version in which the object is written.
        let api_version: String?
    }
}

extension StripeJSON.Failure {
    /// The slug that the customer sees. Failures that are not the card's are the payment provider's.
    var reason: String {
        switch code {
        case "payment_intent_authentication_failure", "payment_intent_payment_attempt_failed":
            return "authentication-failed"
        case "authentication_required": return "authentication-required"
        // The known bounds are checked earlier; the payment provider may have others.
        case "amount_too_small", "amount_too_large", "parameter_invalid_integer": return "amount-out-of-bounds"
        default: break
        }
        guard type == nil || type == "card_error" else { return "provider-down" }
        return switch (code, decline_code) {
        case (_, "insufficient_funds"), ("insufficient_funds", _): "insufficient-funds"
        case (_, "expired_card"), ("expired_card", _), ("invalid_expiry_year", _), ("invalid_expiry_month", _):
            "card-expired"
        case ("processing_error", _): "provider-down"
        default: "card-declined"
        }
    }
}
