import Contracts
import Hummingbird
import LiveMarkets
import ServiceKit

/// What a market is and sells, for everybody (C1).
struct CatalogueRoutes: Sendable {
    let markets: LiveMarkets

    func add(to router: Router<SeraiRequestContext>) {
        router.get("dispatch/v1/markets/{market}") { _, context in
            let (market, settings) = try markets.market(of: context)
            return try Response.cached(
                MarketView(market, settings, context.language), language: context.language)
        }
        router.get("dispatch/v1/markets/{market}/services") { _, context in
            let (market, settings) = try markets.market(of: context)
            return try Response.cached(
                ServiceListView(market, settings, context.language), language: context.language)
        }
    }
}

extension LiveMarkets {
    /// The market that the path names, with its settings of this moment.
    /// - Throws: a 404 ``Problem``.
    func market(of context: some RequestContext) throws(Problem) -> (market: Market, settings: MarketSettings) {
        guard let id = context.parameters.get("market"), let market = Market.named(id),
            let settings = settings(of: id)
        else { throw .notFound }
        return (market, settings)
    }
}

extension Form {
    /// Who sends amounts may say in which currency they are, so that none is read as an amount of another one that the market
    /// has since.
    func checkCurrency(_ prices: PriceCurrency) {
        guard let named = currency("currency"), named != prices.code else { return }
        reject("currency", "not-the-markets-currency", ["currency": prices.code])
    }
}
