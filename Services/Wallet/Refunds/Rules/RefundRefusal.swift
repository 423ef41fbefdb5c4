/// Why nothing can be given back.
enum RefundRefusal: Error, Hashable {
    /// Nothing of it was captured.
    case notCaptured(PaymentState)
    /// It was not paid by card.
    case notByCard
    /// Minor units that may still be given back in that way.
    case aboveCaptured(left: Int, currency: String)
    /// Whoever is to fund it is no part of the order.
    case noSuchFunder
    /// Whoever is to fund it is leaving or gone, and could neither pay nor be owed by.
    case funderLeaving
    /// The card's owner disputes the charge at the bank, or has the money back from there.
    case disputed
    /// Together with what waits for a second admin it would be more than was paid.
    case waits
}

/// Why no tip can be given.
enum TipRefusal: Error, Hashable {
    case notCaptured(PaymentState)
    case given
    case noProvider
}
