import ServiceKit

extension Feature {
    static func homeCare(_ parts: DispatchParts) -> Feature {
        Feature(
            "home care",
            routes: {
                CareRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn)
                PreferredPartnerRoutes(pool: parts.pool, cursors: parts.base.cursors, markets: parts.markets)
                    .add(to: $0.signedIn)
            })
    }
}
