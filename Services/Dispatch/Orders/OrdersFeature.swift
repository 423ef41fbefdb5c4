import ServiceKit

extension Feature {
    static func orders(_ parts: DispatchParts) -> Feature {
        let orders = parts.orders
        return Feature(
            "orders",
            routes: { parts.orderRoutes.add(to: $0.router) },
            handlers: {
                PaymentHandlers.add(to: &$0, orders.recordPayment, orders.recordRefund)
                ReportHandlers.add(to: &$0, orders.decide)
            },
            deadlines: OrderDeadlines.handlers(orders.endWindow, orders.endBanned),
            working: [
                ServiceComponent(
                    "retention", stage: .background,
                    RetentionPass(pool: parts.pool, markets: parts.markets, logger: parts.base.bootstrap.logger))
            ])
    }
}
