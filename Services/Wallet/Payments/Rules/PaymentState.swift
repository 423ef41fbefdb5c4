/// The state of a payment. Events use fewer states: see ``PaymentSnapshot.State``.
enum PaymentState: String, Sendable, CaseIterable {
    /// No acceptance was heard yet: the order cannot be paid.
    case requested
    /// The order waits for its payment.
    case due
    /// A charge asks the payment provider.
    case authorising
    /// The price is in escrow, or was promised in cash.
    case held
    /// The order was reported: the money waits for an admin's decision.
    case frozen
    /// The order is completed; the payment provider is asked to capture.
    case capturing
    case captured
    /// The order has ended; the payment provider is asked to cancel or refund the charge.
    case releasing
    case released
    /// The customer cancelled late and owes a fine; the payment provider is asked to capture, so that the price can go
    /// to the wallet.
    case crediting
    /// The price of a late cancellation, or what the desk took in cash, is in the customer's wallet.
    case credited
    /// The order has ended and nothing was held for it.
    case closed
}
