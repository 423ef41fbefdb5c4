import Foundation

/// What the customer pays for a way that the provider has made for nothing.
///
/// The kilometres since the acceptance, by the order's odometer, times the market's rate: in exact parts of a kilometre,
/// rounded down to a whole minor unit. It is never more than the order's price, so that an odometer that counts detours, or
/// a rate that an admin mistypes, cannot cost more than the visit itself.
struct WayFine: Hashable, Sendable {
    /// Whole ones, rounded down.
    let metres: Int
    /// Minor units of the order's currency; zero or more.
    let amount: Int

    static let none = WayFine(metres: 0, amount: 0)

    init(metres: Int, amount: Int) {
        self.metres = metres
        self.amount = amount
    }

    /// - Parameters:
    ///   - metres: as the odometer has them; below zero, or no number, is none.
    ///   - rate: minor units for each kilometre.
    ///   - fee: what it costs besides, however long the way; minor units.
    ///   - price: of the order, minor units.
    init(metres: Double, perKilometre rate: Int, fee: Int = 0, price: Int) {
        // Once around the earth: no order is longer, and the product below fits.
        let whole = metres.isFinite ? Int(min(max(metres, 0), 40_000_000)) : 0
        let (product, isTooLarge) = whole.multipliedReportingOverflow(by: max(rate, 0))
        let (sum, isSumTooLarge) = (isTooLarge ? .max : product / 1_000).addingReportingOverflow(max(fee, 0))
        self.init(metres: whole, amount: min(isSumTooLarge ? .max : sum, max(price, 0)))
    }
}

/// What a customer was shown that cancelling costs. Binding until its end, so that what is shown can be confirmed although
/// the provider drives on.
struct CancellationQuote: Hashable, Sendable {
    /// How long it binds.
    static let seconds = 60.0

    let fine: WayFine
    /// From this moment on it binds no more.
    let until: Date

    /// What is taken of a customer who agreed to an amount; nil when that is less than it costs.
    ///
    /// Never more than was agreed to, and never more than it costs now.
    /// - Parameters:
    ///   - now: what it costs at this moment.
    ///   - accepted: minor units; nil agrees to nothing.
    ///   - quote: which the customer was shown, if that can be proved.
    static func binding(
        _ now: WayFine, accepted: Int?, quote: CancellationQuote?, at time: Date
    ) -> WayFine? {
        if now.amount <= accepted ?? 0 { return now }
        guard let quote, time < quote.until, quote.fine.amount <= accepted ?? 0 else { return nil }
        return quote.fine
    }
}
