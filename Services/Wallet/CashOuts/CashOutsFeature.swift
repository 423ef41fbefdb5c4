import ServiceKit

extension Feature {
    static func cashOuts(_ parts: WalletParts) -> Feature {
        Feature(
            "cashOuts",
            routes: {
                BankAccountRoutes(parts: parts).add(to: $0.signedIn)
                CashOutRoutes(parts: parts).add(to: $0.signedIn)
                MarketCashOutRoutes(parts: parts).add(to: $0.signedIn)
            },
            working: [
                ServiceComponent("payout worker", stage: .background, parts.payoutWorker)
            ]
        )
    }
}
