import Contracts
import Foundation

extension Quote {
    /// What an order at this price is promised to cost less, by what was quoted; nil where nothing was.
    ///
    /// - Parameters:
    ///   - price: of the whole order; minor units.
    ///   - settings: the market's of this moment.
    func promise(on price: Int, _ settings: MarketSettings) -> Order.Promo? {
        guard let promo = fitted(to: settings).terms.promo?.on(price), promo.obstacle == nil, promo.discount > 0
        else { return nil }
        return Order.Promo(code: promo.code, discount: promo.discount)
    }

    /// As it can be paid: where the market takes only cash, a code gives nothing. The quote is kept as the code alone has it,
    /// since the market may take more again.
    func fitted(to settings: MarketSettings) -> Quote {
        guard settings.takesOnlyCash, let promo = terms.promo else { return self }
        var fitted = self
        fitted.terms.promo = promo.withCashAlone
        return fitted
    }
}
