import Contracts
import Foundation

extension Quote {
    /// The promised discount for an order at this price, from the quote's promo code; nil if the code gives nothing.
    ///
    /// - Parameters:
    ///   - price: the price of the whole order in minor units.
    ///   - settings: the market's current settings.
    func promise(on price: Int, _ settings: MarketSettings) -> Order.Promo? {
        guard let promo = fitted(to: settings).terms.promo?.on(price), promo.obstacle == nil, promo.discount > 0
        else { return nil }
        return Order.Promo(code: promo.code, discount: promo.discount)
    }

    /// The quote with its promo code set aside if the market currently takes only cash. The stored quote keeps the
    /// code's discount, since the market may take other payments again.
    func fitted(to settings: MarketSettings) -> Quote {
        guard settings.takesOnlyCash, let promo = terms.promo else { return self }
        var fitted = self
        fitted.terms.promo = promo.withCashAlone
        return fitted
    }
}
