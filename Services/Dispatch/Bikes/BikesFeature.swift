import ServiceKit

extension Feature {
    static func bikes(_ parts: DispatchParts) throws -> Feature {
        let key = try parts.base.bootstrap.configuration[CommonKeys.signingKey]
        let hires = HireRoutes(
            orders: parts.orderRoutes, markets: parts.markets,
            run: RunHire(
                hire: HireBike(signingKey: Array(key.revealed.utf8)), change: ChangeOrder(markets: parts.markets)))
        let bikes = BikeRoutes(
            orders: parts.orderRoutes, markets: parts.markets,
            manage: ManageBikes(run: hires.run, change: ChangeOrder(markets: parts.markets)))
        return Feature(
            "bikes",
            routes: {
                parts.places.racks.add(to: $0.router)
                hires.add(to: $0.router)
                bikes.add(to: $0.router)
            })
    }
}
