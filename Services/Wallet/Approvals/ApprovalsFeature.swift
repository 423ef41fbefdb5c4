import ServiceKit

extension Feature {
    static func approvals(_ parts: WalletParts) -> Feature {
        Feature(
            "approvals",
            routes: {
                MarketApprovalRoutes(parts: parts).add(to: $0.signedIn)
            }
        )
    }
}
