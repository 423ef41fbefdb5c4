/// What may happen to a payment.
enum PaymentTrigger: String, Sendable, CaseIterable {
    // The customer
    case payByCard, payFromWallet, promiseCash
    /// Does not go on with what waits for his or her word.
    case abandoned
    /// Was to be charged without being asked, and may not be.
    case notCharged
    // The payment provider
    case authorised, refused, captured, cancelled, refunded
    /// The customer has to go somewhere and say yes.
    case actionRequired
    /// The payment provider has not answered for too long.
    case givenUp
    // The order
    /// It is to be paid before it is offered to anybody.
    case pending
    case accepted
    /// Reported.
    case disputed
    /// Done; also by an admin's decision that the provider is paid, or a part of the price.
    case completed
    /// Cancelled, refused or expired; also by an admin's decision that everything goes back.
    case ended
    /// Cancelled late, with a fine for it.
    case endedWithFine
}

extension PaymentTrigger {
    /// What a charge's state is to its payment; nil while there is no answer.
    init?(_ charge: Charge) {
        switch charge.state {
        case .asked: return nil
        // What is to be cancelled waits for nobody.
        case .requiresAction: self = charge.goal == .cancel ? .refused : .actionRequired
        case .authorised: self = .authorised
        case .captured: self = .captured
        case .cancelled: self = .cancelled
        case .refunded: self = .refunded
        case .declined, .lapsed: self = .refused
        }
    }
}
