/// The triggers of a payment's transitions.
enum PaymentTrigger: String, Sendable, CaseIterable {
    // By the customer
    case payByCard, payFromWallet, promiseCash
    /// An admin took the price at the desk.
    case takeDeskCash
    /// The customer gave up an attempt that waits for the payment provider or for a confirmation.
    case abandoned
    /// A charge without the customer was not permitted.
    case notCharged
    // By the payment provider
    case authorised, refused, captured, cancelled, refunded
    /// The customer must confirm at an address.
    case actionRequired
    /// The payment provider has not answered for too long.
    case givenUp
    // By the order
    /// The order must be paid before it is offered.
    case pending
    case accepted
    /// The order was reported.
    case disputed
    /// Completed; also an admin's decision that pays the provider all or a part of the price.
    case completed
    /// Cancelled, refused or expired; also an admin's decision that returns everything.
    case ended
    /// Cancelled late, with a fine.
    case endedWithFine
}

extension PaymentTrigger {
    /// The trigger that a charge's state means for its payment; nil while there is no answer.
    init?(_ charge: Charge) {
        switch charge.state {
        case .asked: return nil
        // A charge that is to be cancelled does not wait for a confirmation.
        case .requiresAction: self = charge.goal == .cancel ? .refused : .actionRequired
        case .authorised: self = .authorised
        case .captured: self = .captured
        case .cancelled: self = .cancelled
        case .refunded: self = .refunded
        case .declined, .lapsed: self = .refused
        }
    }
}
