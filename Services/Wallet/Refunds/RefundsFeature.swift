import ServiceKit

extension Feature {
    static func refunds(_ parts: WalletParts) -> Feature {
        Feature(
            "refunds",
            routes: {
                RefundRoutes(parts: parts).add(to: $0.signedIn)
                MarketRefundRoutes(parts: parts).add(to: $0.signedIn)
            }
        )
    }
}
