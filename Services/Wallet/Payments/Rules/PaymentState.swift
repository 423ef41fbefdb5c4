/// Where a payment stands. The wire knows fewer: see ``PaymentSnapshot.State``.
enum PaymentState: String, Sendable, CaseIterable {
    /// Nobody has accepted the order yet, as far as is known here: it cannot be paid.
    case requested
    /// The order waits to be paid.
    case due
    /// A charge asks the payment provider.
    case authorising
    /// The price is in escrow, or was promised in cash.
    case held
    /// The order was reported: the price stays where it is until an admin has decided.
    case frozen
    /// The order is done; the payment provider is asked for the money.
    case capturing
    case captured
    /// The order has ended; the payment provider is asked to let the money go, or to give it back.
    case releasing
    case released
    /// The customer has cancelled late and owes a fine; the payment provider is asked for the money, which is to be in the
    /// wallet.
    case crediting
    /// It is there.
    case credited
    /// The order has ended and nothing was held for it.
    case closed
}
