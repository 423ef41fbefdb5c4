import Messaging
import ServiceKit

extension Feature {
    /// A renewal by wallet posts with the commit; an end waits for transactions that change the subscription, which may post.
    static func subscriptions(_ parts: WalletParts) -> Feature {
        Feature(
            "subscriptions",
            routes: {
                SubscriptionRoutes(parts: parts).add(to: $0.signedIn)
                MarketSubscriptionRoutes(parts: parts).add(to: $0.signedIn)
            },
            deadlines: [
                SubscriptionDeadlines.renewal: {
                    try await SubscriptionDeadlines.renew($0, at: $0.now(by: parts.clock), in: $1)
                },
                SubscriptionDeadlines.expiry: {
                    try await SubscriptionDeadlines.expire($0, at: $0.now(by: parts.clock), in: $1)
                },
            ]
        )
    }
}
