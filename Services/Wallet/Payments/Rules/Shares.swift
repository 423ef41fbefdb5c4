/// Divides an amount between its earner and the platform. The shares always sum to the amount.
struct Shares: Hashable, Sendable {
    let provider: Int
    /// The commission: amount times basis points, rounded half up to a whole minor unit. The earner gets the rest.
    let platform: Int

    /// Restores an earlier division.
    init(provider: Int, platform: Int) {
        self.provider = provider
        self.platform = platform
    }

    /// - Parameters:
    ///   - amount: minor units, at least zero.
    ///   - commissionBasisPoints: hundredths of a percent, 0...10000.
    init(of amount: Int, commissionBasisPoints: Int) {
        precondition(amount >= 0 && (0...10_000).contains(commissionBasisPoints), "not a share of a price")
        let (high, low) = amount.multipliedFullWidth(by: commissionBasisPoints)
        // The quotient is at most the amount, so it fits.
        let (whole, rest) = 10_000.dividingFullWidth((high, low))
        platform = whole + (rest >= 5_000 ? 1 : 0)
        provider = amount - platform
    }
}
