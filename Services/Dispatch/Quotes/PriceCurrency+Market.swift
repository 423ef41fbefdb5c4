import Contracts

extension MarketSettings {
    /// In which currency prices count now.
    func prices(in market: Market) -> PriceCurrency {
        PriceCurrency(code: currency, first: market.defaults.currency)
    }
}
