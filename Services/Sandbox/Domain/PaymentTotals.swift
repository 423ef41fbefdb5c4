/// The provider's books in one currency, in minor units.
struct PaymentTotals: Sendable, Equatable {
    var authorised = 0
    var captured = 0
    /// Authorised and let go: cancelled, or not captured in full.
    var cancelled = 0
    var refunded = 0
    /// Taken back by banks, and not given back to the platform.
    var disputed = 0
    /// To bank accounts and cards.
    var paidOut = 0
    /// Authorisations.
    var payments = 0

    /// Authorised, and neither captured nor let go.
    var held: Int { authorised - captured - cancelled }
}
