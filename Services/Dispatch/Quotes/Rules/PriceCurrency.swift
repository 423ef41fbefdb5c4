/// The currency in which prices count that providers and restaurants have set. A price in another one is not on offer, and is
/// never read as one in this.
struct PriceCurrency: Hashable, Sendable {
    /// The market's, at a moment.
    let code: String
    /// What the market began with: of prices that name none, because they are older than the choice.
    let first: String

    /// Whether a price that was set in a currency counts.
    func counts(_ currency: String?) -> Bool { (currency ?? first) == code }
}
