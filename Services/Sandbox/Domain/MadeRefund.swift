/// What was given back of a payment, or was to be.
struct MadeRefund: Sendable, Equatable {
    enum Status: String, Sendable { case pending, succeeded, failed }

    let id: String
    var status: Status
    /// Minor units.
    let amount: Int
    /// Lower case, as Stripe has it.
    let currency: String
    let intent: String
    let charge: String?
    let metadata: [String: String]
}
