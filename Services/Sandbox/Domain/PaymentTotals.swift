/// The provider's totals in one currency, in minor units.
struct PaymentTotals: Sendable, Equatable {
    var authorised = 0
    var captured = 0
    /// Authorised and released: cancelled, or not captured in full.
    var cancelled = 0
    var refunded = 0
    /// Withdrawn by banks and not reinstated.
    var disputed = 0
    /// To bank accounts and cards.
    var paidOut = 0
    /// The number of authorisations.
    var payments = 0

    /// Authorised, but neither captured nor released.
    var held: Int { authorised - captured - cancelled }
}
