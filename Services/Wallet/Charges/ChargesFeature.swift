import Hummingbird
import Messaging
import ServiceKit

extension Feature {
    /// The deadlines try a payment without its customer again; one from a wallet is posted with the commit.
    static func charges(_ parts: WalletParts) -> Feature {
        Feature(
            "charges",
            routes: {
                WebhookRoutes(parts: parts).add(to: $0.router.group("wallet/v1"))
            },
            deadlines: [
                ChargeByConsent.deadlineKind: {
                    try await parts.chargeByConsent.fire($0, at: $0.now(by: parts.clock), in: $1)
                }
            ],
            working: [
                ServiceComponent(
                    "webhook purge", stage: .background, WebhookPurge(pool: parts.pool, logger: parts.logger))
            ]
        )
    }
}
