import Contracts

extension MarketSettings {
    /// The currency of the market's prices at present.
    func prices(in market: Market) -> PriceCurrency {
        PriceCurrency(code: currency, first: market.defaults.currency)
    }
}
