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
}

/// Why no tip can be given.
enum TipRefusal: Error, Hashable {
    case notCaptured(PaymentState)
    case given
    case noProvider
}
