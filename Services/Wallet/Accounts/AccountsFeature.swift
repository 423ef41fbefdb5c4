import ServiceKit

extension Feature {
    static func accounts(_ parts: WalletParts) -> Feature {
        Feature(
            "accounts",
            handlers: {
                WalletDeletionHandlers.register(in: &$0, clock: parts.clock)
                RenewalStopHandlers.register(in: &$0)
            },
            working: [
                ServiceComponent("retention", stage: .background, parts.retentionPass)
            ]
        )
    }
}
