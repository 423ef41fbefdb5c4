/// The error of a refused request, in Stripe's form.
struct StripeError: Error, Sendable, Equatable {
    var status: Int
    /// `card_error`, `invalid_request_error`, `idempotency_error` or `api_error`.
    var type: String
    var code: String?
    var declineCode: String?
    var message: String
    var param: String?
    /// The intent after the failure.
    var intent: PaymentIntent?
    /// Whether the failure happened during execution. Earlier failures, such as a wrong parameter, are not stored under
    /// the request's idempotency key.
    var isExecutionFailure = false

    static func invalidRequest(_ message: String) -> StripeError {
        StripeError(status: 400, type: "invalid_request_error", message: message)
    }

    static func invalid(_ message: String, code: String? = nil, param: String) -> StripeError {
        StripeError(status: 400, type: "invalid_request_error", code: code, message: message, param: param)
    }

    static func unknownParameters(_ names: [String]) -> StripeError {
        .invalid(
            "Received unknown parameter\(names.count == 1 ? "" : "s"): \(names.joined(separator: ", "))",
            code: "parameter_unknown", param: names[0])
    }

    static func invalidInteger(_ value: String, _ param: String) -> StripeError {
        .invalid("Invalid integer: \(value)", code: "parameter_invalid_integer", param: param)
    }

    /// Stripe takes an empty value for the wish to unset something.
    static func emptyValue(_ param: String) -> StripeError {
        .invalid(
            "You passed an empty string for '\(param)'. You should remove '\(param)' from your request or supply a "
                + "non-empty value.", code: "parameter_invalid_empty", param: param)
    }

    static func missing(_ param: String) -> StripeError {
        .invalid("Missing required param: \(param).", code: "parameter_missing", param: param)
    }

    /// - Parameter status: 404 for the object in the path, 400 for one in a parameter.
    static func noSuch(_ kind: String, _ id: String, status: Int = 404, param: String) -> StripeError {
        StripeError(
            status: status, type: "invalid_request_error", code: "resource_missing",
            message: "No such \(kind): '\(id)'",
            param: param)
    }

    static func card(
        _ code: String, _ message: String, declineCode: String? = nil, param: String? = nil
    ) -> StripeError {
        StripeError(
            status: 402, type: "card_error", code: code, declineCode: declineCode, message: message, param: param)
    }

    /// The intent's status does not allow the request.
    static func unexpectedState(_ intent: PaymentIntent, _ verb: String) -> StripeError {
        StripeError(
            status: 400, type: "invalid_request_error", code: "payment_intent_unexpected_state",
            message: "This PaymentIntent could not be \(verb) because it has a status of \(intent.status.rawValue).",
            intent: intent, isExecutionFailure: true)
    }

    /// The customer would have to be asked but is not present.
    static let authenticationRequired = card(
        "authentication_required", "Your card was declined. This transaction requires authentication.",
        declineCode: "authentication_required")

    /// The customer was asked and declined.
    static let authenticationFailed = StripeError(
        status: 402, type: "card_error", code: "payment_intent_authentication_failure",
        message: "The provided PaymentMethod has failed authentication.")

    static let methodUsedUp = invalidRequest(
        """
        The provided PaymentMethod was previously used without being attached to a customer, or was detached from one. \
        It may not be used again.
        """)

    /// The platform's balance is below the payout.
    static let balanceInsufficient = StripeError(
        status: 400, type: "invalid_request_error", code: "balance_insufficient",
        message: "You have insufficient funds in your Stripe account for this transfer.", isExecutionFailure: true)

    static let chargeDisputed = StripeError(
        status: 400, type: "invalid_request_error", code: "charge_disputed",
        message: "The charge has been charged back; cannot issue a refund.", isExecutionFailure: true)

    static let wrongKey = StripeError(
        status: 401, type: "invalid_request_error", message: "Invalid API Key provided.")

    /// Stripe would read a request without a version in the account's own; a sandbox has none.
    static func wrongVersion(_ version: String?) -> StripeError {
        .invalidRequest(
            version.map { "Invalid Stripe API version: \($0)" } ?? "The sandbox wants the header Stripe-Version.")
    }

    static let unavailable = StripeError(
        status: 503, type: "api_error", message: "The sandbox plays a provider that is down.")

    /// An internal error. It is stored under the request's idempotency key like any other result.
    static let internalFault = StripeError(
        status: 500, type: "api_error", message: "An unknown error occurred.", isExecutionFailure: true)

    static let keyReused = StripeError(
        status: 400, type: "idempotency_error",
        message: "Keys for idempotent requests can only be used with the same parameters they were first used with.")
}
