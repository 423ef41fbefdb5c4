import ServiceKit

extension Feature {
    static func statements(_ parts: WalletParts) -> Feature {
        Feature(
            "statements",
            routes: {
                BalanceRoutes(parts: parts).add(to: $0.signedIn)
                MarketBalanceRoutes(parts: parts).add(to: $0.signedIn)
                DayBalanceRoutes(parts: parts).add(to: $0.signedIn)
                DayFigureRoutes(parts: parts).add(to: $0.signedIn)
                WaitingCountRoutes(parts: parts).add(to: $0.signedIn)
            }
        )
    }
}
