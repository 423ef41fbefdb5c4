/// What may happen to a payment.
enum PaymentTrigger: String, Sendable, CaseIterable {
    // The customer
    case payByCard, payFromWallet, promiseCash
    /// Does not go on with what waits for his or her word.
    case abandoned
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
}

extension PaymentTrigger {
    /// What a charge's state is to its payment; nil while there is no answer.
    init?(_ state: Charge.State) {
        switch state {
        case .asked: return nil
        case .requiresAction: self = .actionRequired
        case .authorised: self = .authorised
        case .captured: self = .captured
        case .cancelled: self = .cancelled
        case .refunded: self = .refunded
        case .declined, .lapsed: self = .refused
        }
    }
}
