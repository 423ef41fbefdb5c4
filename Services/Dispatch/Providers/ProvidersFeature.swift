import ServiceKit

extension Feature {
    static func providers(_ parts: DispatchParts) -> Feature {
        Feature(
            "providers",
            routes: { parts.providers.addRoutes(to: $0.router) },
            working: [
                ServiceComponent(
                    "closing", stage: .background,
                    ClosePass(pool: parts.pool, markets: parts.markets, logger: parts.base.bootstrap.logger))
            ])
    }
}
