import ServiceKit

extension Feature {
    static func parcels(_ parts: DispatchParts) -> Feature {
        Feature(
            "parcels",
            routes: {
                BoardRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn)
                ParcelRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn)
                AlongRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn)
            },
            handlers: { DepositHandlers.add(to: &$0, parts.orders.recordDeposit, clock: parts.clock) })
    }
}
