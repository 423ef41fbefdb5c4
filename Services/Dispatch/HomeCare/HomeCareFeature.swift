import ServiceKit

extension Feature {
    static func homeCare(_ parts: DispatchParts) -> Feature {
        Feature(
            "home care",
            routes: { CareRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn) })
    }
}
