/// What may happen to a payment.
enum PaymentTrigger: String, Sendable, CaseIterable {
    // The customer
    case payByCard, payFromWallet, promiseCash
    // The payment provider
    case authorised, refused, captured, cancelled
    /// The payment provider has not answered for too long.
    case givenUp
    // The order
    case completed
    /// Cancelled, refused or expired.
    case ended
}
