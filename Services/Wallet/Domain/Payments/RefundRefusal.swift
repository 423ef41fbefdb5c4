/// Why nothing can be given back.
enum RefundRefusal: Error, Hashable {
    /// Nothing of it was captured.
    case notCaptured(PaymentState)
    /// It was not paid by card.
    case notByCard
    /// Minor units that may still be given back in that way.
    case aboveCaptured(left: Int)
    /// Whoever is to fund it is no part of the order.
    case noSuchFunder
}

/// Why no tip can be given.
enum TipRefusal: Error, Hashable {
    case notCaptured(PaymentState)
    case given
    case noProvider
}
