import ServiceKit

extension Feature {
    /// The deadlines lock debtors, their debts and the ledger's accounts, all in one set. No transaction that posts waits for one.
    static func debts(_ parts: WalletParts) -> Feature {
        Feature(
            "debts",
            routes: {
                WaitingMoneyRoutes(parts: parts).add(to: $0.signedIn)
                MarketDebtorRoutes(parts: parts).add(to: $0.signedIn)
                MarketWriteOffRoutes(parts: parts).add(to: $0.signedIn)
            },
            deadlines: [SettleDebts.kind: SettleDebts.operation(clock: parts.clock)]
        )
    }
}
