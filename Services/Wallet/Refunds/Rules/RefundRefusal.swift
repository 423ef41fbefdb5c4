/// Why a refund is impossible.
enum RefundRefusal: Error, Hashable {
    /// Nothing was captured.
    case notCaptured(PaymentState)
    /// The order was not paid by card.
    case notByCard
    /// The amount exceeds what can still be refunded in this way: `left`, in minor units.
    case aboveCaptured(left: Int, currency: String)
    /// The funder was not paid for the order.
    case noSuchFunder
    /// The funder's account is leaving or gone, so it can neither pay nor owe.
    case funderLeaving
    /// The card's owner disputes the charge at the bank, or got the money back from there.
    case disputed
    /// Together with refunds that wait for a second admin it would exceed what was paid.
    case waits
}

/// Why a tip is impossible.
enum TipRefusal: Error, Hashable {
    case notCaptured(PaymentState)
    case given
    case noProvider
}
