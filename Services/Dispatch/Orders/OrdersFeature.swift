import ServiceKit

extension Feature {
    static func orders(_ parts: DispatchParts) -> Feature {
        let orders = parts.orders
        return Feature(
            "orders",
            routes: {
                parts.orderRoutes.add(to: $0.router)
                OrderFileRoutes(orders: parts.orderRoutes).add(to: $0.signedIn)
                EarningRoutes(markets: parts.markets, pool: parts.pool).add(to: $0.signedIn)
            },
            handlers: {
                PaymentHandlers.add(to: &$0, orders.recordPayment, orders.recordRefund, orders.recordTip)
                ReportHandlers.add(to: &$0, orders.decide)
            },
            deadlines: OrderDeadlines.handlers(orders.endWindow, orders.endBanned),
            working: [
                ServiceComponent(
                    "retention", stage: .background,
                    RetentionPass(pool: parts.pool, markets: parts.markets, logger: parts.base.bootstrap.logger)),
                ServiceComponent(
                    "sealing of places", stage: .background,
                    SealPlaces(pool: parts.pool, seal: parts.seal, logger: parts.base.bootstrap.logger)),
            ],
            keyOwners: KeyOwners.all(parts.pool))
    }
}
