import ServiceKit

extension Feature {
    static func disputes(_ parts: WalletParts) -> Feature {
        Feature(
            "disputes",
            routes: {
                MarketDisputeRoutes(parts: parts).add(to: $0.signedIn)
            }
        )
    }
}
