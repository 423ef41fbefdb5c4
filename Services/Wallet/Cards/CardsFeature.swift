import ServiceKit

extension Feature {
    static func cards(_ parts: WalletParts) -> Feature {
        Feature(
            "cards",
            routes: {
                CardRoutes(parts: parts).add(to: $0.signedIn)
                ConsentingCardRoutes(parts: parts).add(to: $0.signedIn)
            },
            working: [
                ServiceComponent("removal worker", stage: .background, parts.removalWorker),
                ServiceComponent(
                    "card expiry", stage: .background,
                    CardExpiryPass(pool: parts.pool, clock: parts.clock, logger: parts.logger)),
            ]
        )
    }
}
