import ServiceKit

extension Feature {
    static func orders(_ parts: DispatchParts) -> Feature {
        let orders = parts.orders
        return Feature(
            "orders",
            routes: {
                parts.orderRoutes.add(to: $0.router)
                OrderFileRoutes(orders: parts.orderRoutes).add(to: $0.signedIn)
                EarningRoutes(markets: parts.markets, pool: parts.pool, clock: parts.clock).add(to: $0.signedIn)
            },
            handlers: {
                PaymentHandlers.add(
                    to: &$0, orders.recordPayment, orders.recordRefund, orders.recordTip, clock: parts.clock)
                ReportHandlers.add(to: &$0, orders.decide, clock: parts.clock)
            },
            deadlines: OrderDeadlines.handlers(orders.endWindow, orders.endBanned, clock: parts.clock),
            working: [
                ServiceComponent(
                    "retention", stage: .background,
                    RetentionPass(
                        pool: parts.pool, markets: parts.markets, clock: parts.clock,
                        logger: parts.base.bootstrap.logger)),
                ServiceComponent(
                    "sealing of places", stage: .background,
                    SealPlaces(pool: parts.pool, seal: parts.seal, logger: parts.base.bootstrap.logger)),
            ],
            keyOwners: KeyOwners.all(parts.pool))
    }
}
