import ServiceKit

extension Feature {
    static func links(_ parts: IdentityParts) -> Feature {
        Feature(
            "links",
            routes: {
                LinkRoutes(parts: parts).add(to: $0.router)
                MarketLinkRoutes(parts: parts).add(to: $0.router)
            })
    }
}
