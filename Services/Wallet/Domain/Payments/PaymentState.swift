/// Where a payment stands. The wire knows fewer: see ``PaymentSnapshot.State``.
enum PaymentState: String, Sendable, CaseIterable {
    /// The order waits to be paid.
    case due
    /// A charge asks the payment provider.
    case authorising
    /// The price is in escrow, or was promised in cash.
    case held
    /// The order is done; the payment provider is asked for the money.
    case capturing
    case captured
    /// The order has ended; the payment provider is asked to let the money go.
    case releasing
    case released
    /// The order has ended and nothing was held for it.
    case closed
}

enum PaymentMethod: String, Sendable, CaseIterable { case card, wallet, cash }

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

/// What follows from a transition, in its transaction.
enum PaymentEffect: String, Sendable {
    case beginCharge, captureCharge, cancelCharge
    case holdFromWallet, holdFromCard, payOut, takeCommission, returnToWallet, returnToCard
    case tellHeld, tellRefused, tellCaptured, tellReleased
}
