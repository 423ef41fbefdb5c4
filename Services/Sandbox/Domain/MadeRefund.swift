/// What was given back of a payment.
struct MadeRefund: Sendable, Equatable {
    let id: String
    /// Minor units.
    let amount: Int
    /// Lower case, as Stripe has it.
    let currency: String
    let intent: String
    let charge: String?
    let metadata: [String: String]
}
