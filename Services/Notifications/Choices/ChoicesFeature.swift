import ServiceKit

extension Feature {
    /// By which ways an account wants to hear of what, and when not.
    static func choices(_ parts: NotificationsParts) -> Feature {
        Feature("choices", routes: { ChoiceRoutes(pool: parts.base.pool).add(to: $0.signedIn) })
    }
}
