import ServiceKit

extension Feature {
    /// Notices of admins to many people of a market, now or at a time.
    static func generalNotices(_ parts: NotificationsParts) throws -> Feature {
        let (base, bootstrap) = (parts.base, parts.base.bootstrap)
        let routes = GeneralNoticeRoutes(
            pool: base.pool, markets: parts.markets, idempotency: base.idempotency, cursors: base.cursors,
            clock: parts.clock)
        let pace = NoticePace(perSecond: try bootstrap.configuration[NotificationsConfiguration.noticesPerSecond])
        let fanOut = NoticeFanOut(
            pool: base.pool, hub: parts.hub, pace: pace, clock: parts.clock, logger: bootstrap.logger)
        return Feature(
            "general notices", routes: { routes.add(to: $0.signedIn) },
            working: [ServiceComponent("general notices", stage: .background, fanOut)])
    }
}
