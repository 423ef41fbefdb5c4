import ServiceKit

extension Feature {
    static func rides(_ parts: DispatchParts) -> Feature {
        Feature(
            "rides",
            routes: { RideRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn) })
    }
}
