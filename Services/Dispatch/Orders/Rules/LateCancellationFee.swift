import Foundation

/// Fine that the customer pays for the provider's useless way.
///
/// It is the distance since the acceptance, by the order's odometer, times the market's rate per kilometre, rounded
/// down to a whole minor unit. It is never more than the order's price, so that an odometer that counts detours, or a
/// rate that an admin mistypes, cannot cost more than the visit itself.
struct LateCancellationFee: Hashable, Sendable {
    /// Whole metres, rounded down.
    let metres: Int
    /// Minor units of the order's currency; zero or more.
    let amount: Int

    static let none = LateCancellationFee(metres: 0, amount: 0)

    init(metres: Int, amount: Int) {
        self.metres = metres
        self.amount = amount
    }

    /// - Parameters:
    ///   - metres: distance of the odometer; a negative or non-finite number counts as zero.
    ///   - rate: minor units per kilometre.
    ///   - fee: fixed part, independent of the distance; minor units.
    ///   - price: price of the order, in minor units; the fine's maximum.
    init(metres: Double, perKilometre rate: Int, fee: Int = 0, price: Int) {
        // 40,000 km, once around the earth, is longer than any order; the product below then fits.
        let whole = metres.isFinite ? Int(min(max(metres, 0), 40_000_000)) : 0
        let (product, isTooLarge) = whole.multipliedReportingOverflow(by: max(rate, 0))
        let (sum, isSumTooLarge) = (isTooLarge ? .max : product / 1_000).addingReportingOverflow(max(fee, 0))
        self.init(metres: whole, amount: min(isSumTooLarge ? .max : sum, max(price, 0)))
    }
}

/// Price of a cancellation as the customer was shown it. It binds until its end, so that the customer can confirm the
/// shown amount although the provider drives on.
struct CancellationQuote: Hashable, Sendable {
    /// Seconds for which it binds.
    static let seconds = 60.0

    let fine: LateCancellationFee
    /// First moment at which the quote no longer binds.
    let until: Date

    /// Fine of a customer who agreed to an amount; nil if the agreed amount is less than the cancellation costs.
    ///
    /// The fine is never more than the agreed amount, and never more than the cancellation costs now.
    /// - Parameters:
    ///   - now: fine at this moment.
    ///   - accepted: minor units; nil means that the customer agreed to nothing.
    ///   - quote: the quote that the customer was shown, if its seal proves it.
    static func binding(
        _ now: LateCancellationFee, accepted: Int?, quote: CancellationQuote?, at time: Date
    ) -> LateCancellationFee? {
        if now.amount <= accepted ?? 0 { return now }
        guard let quote, time < quote.until, quote.fine.amount <= accepted ?? 0 else { return nil }
        return quote.fine
    }
}
