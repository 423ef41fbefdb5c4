import ServiceKit

extension Feature {
    static func desk(_ parts: DispatchParts) -> Feature {
        Feature(
            "desk",
            routes: {
                DeskRoutes(markets: parts.markets, pool: parts.pool, clock: parts.clock).add(to: $0.signedIn)
            })
    }
}
