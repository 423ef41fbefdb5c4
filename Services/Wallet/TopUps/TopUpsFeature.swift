import ServiceKit

extension Feature {
    static func topUps(_ parts: WalletParts) -> Feature {
        Feature(
            "topUps",
            routes: {
                TopUpRoutes(parts: parts).add(to: $0.signedIn)
            }
        )
    }
}
