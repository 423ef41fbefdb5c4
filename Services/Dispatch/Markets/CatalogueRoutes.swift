import Contracts
import Hummingbird
import LiveMarkets
import ServiceKit

/// Public routes for a market's data and services (C1), as its admins have changed them last.
struct CatalogueRoutes: Sendable {
    let markets: LiveMarkets

    func add(to router: Router<SeraiRequestContext>) {
        router.get("dispatch/v1/markets/{market}") { _, context in
            let (market, settings) = try markets.market(of: context)
            context.prefer(settings.languages.first.map(Language.init(rawValue:)))
            return try Response.cached(
                MarketView(market, settings, context.language), language: context.language)
        }
        router.get("dispatch/v1/markets/{market}/services") { _, context in
            let (market, settings) = try markets.market(of: context)
            context.prefer(settings.languages.first.map(Language.init(rawValue:)))
            return try Response.cached(
                ServiceListView(market, settings, context.language), language: context.language)
        }
        router.get("dispatch/v1/markets/{market}/images/{image}") { _, context in
            try ServiceImages.answer(context, markets.market(of: context).market)
        }
    }
}

extension LiveMarkets {
    /// The market that the path names, with its current catalogue and settings.
    /// - Throws: a 404 ``Problem``.
    func market(of context: some RequestContext) throws(Problem) -> (market: Market, settings: MarketSettings) {
        guard let id = context.parameters.get("market"), let market = named(id),
            let settings = settings(of: id)
        else { throw .notFound }
        return (market, settings)
    }
}

extension Form {
    /// Checks the optional `currency` of a form with amounts, so that an amount is never read in another currency that
    /// the market has by now.
    func checkCurrency(_ prices: PriceCurrency) {
        guard let named = currency("currency"), named != prices.code else { return }
        reject("currency", "not-the-markets-currency", ["currency": prices.code])
    }
}
