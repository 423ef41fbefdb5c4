/// A request to the payment provider.
enum ProviderCommand: Sendable, Equatable {
    case createMethod, createToken, createIntent, createRefund, createCustomer, createPayout
    case confirm(String), capture(String), cancel(String)
    case updateMethod(String), attach(String), detach(String)

    /// Part of the fingerprint that distinguishes requests with the same idempotency key.
    var path: String {
        switch self {
        case .createMethod: "/v1/payment_methods"
        case .createToken: "/v1/tokens"
        case .createIntent: "/v1/payment_intents"
        case .createRefund: "/v1/refunds"
        case .createPayout: "/v1/payouts"
        case .createCustomer: "/v1/customers"
        case .confirm(let id): "/v1/payment_intents/\(id)/confirm"
        case .capture(let id): "/v1/payment_intents/\(id)/capture"
        case .cancel(let id): "/v1/payment_intents/\(id)/cancel"
        case .updateMethod(let id): "/v1/payment_methods/\(id)"
        case .attach(let id): "/v1/payment_methods/\(id)/attach"
        case .detach(let id): "/v1/payment_methods/\(id)/detach"
        }
    }
}
