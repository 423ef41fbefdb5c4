import ServiceKit

extension Feature {
    /// By which ways an account wants to hear of what, and when not.
    static func choices(_ parts: NotificationsParts) throws -> Feature {
        let pool = parts.base.pool
        let unsubscribe = UnsubscribeRoute(
            pool: pool, unsubscribing: try MailUnsubscribing(parts.base.bootstrap.configuration))
        return Feature(
            "choices",
            routes: {
                ChoiceRoutes(pool: pool).add(to: $0.signedIn)
                unsubscribe.add(to: $0.router)
            })
    }
}
