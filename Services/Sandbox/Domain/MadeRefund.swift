/// A refund of a payment, or the attempt of one.
struct MadeRefund: Sendable, Equatable {
    enum Status: String, Sendable { case pending, succeeded, failed }

    let id: String
    var status: Status
    /// In minor units.
    let amount: Int
    /// Lower case, as at Stripe.
    let currency: String
    let intent: String
    let charge: String?
    let metadata: [String: String]
}
