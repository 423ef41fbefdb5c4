/// Decides which prices of providers and restaurants are valid in the market's current currency. A price in another
/// currency is not on offer and is never read as one in this currency.
struct PriceCurrency: Hashable, Sendable {
    /// The market's currency at present.
    let code: String
    /// The market's original currency. A price that names no currency is older than the choice of currencies and is in
    /// this one.
    let first: String

    /// Whether a price that was set in a currency counts.
    func counts(_ currency: String?) -> Bool { (currency ?? first) == code }
}
