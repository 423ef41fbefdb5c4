import ServiceKit

extension Feature {
    /// The deadlines lock the ledger's accounts, all in one set.
    static func ledger(_ parts: WalletParts) -> Feature {
        Feature(
            "ledger",
            routes: {
                LedgerRoutes(parts: parts).add(to: $0.signedIn)
            },
            deadlines: [HoldExpiry.kind: HoldExpiry.operation(clock: parts.clock)],
            commands: parts.ledgerCommands
        )
    }
}
