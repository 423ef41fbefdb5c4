import ServiceKit

extension Feature {
    static func promotions(_ parts: WalletParts) -> Feature {
        Feature(
            "promotions",
            routes: {
                PromotionRoutes(parts: parts).add(to: $0.signedIn)
                MarketPromoCodeRoutes(parts: parts).add(to: $0.signedIn)
            },
            working: [
                ServiceComponent(
                    "promo codes", stage: .background,
                    PromoCodePass(pool: parts.pool, markets: parts.markets, clock: parts.clock, logger: parts.logger))
            ]
        )
    }
}
