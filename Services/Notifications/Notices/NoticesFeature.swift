import ServiceKit

extension Feature {
    /// Turns other services' events into items of inboxes and events of streams.
    static func notices(_ parts: NotificationsParts) -> Feature {
        Feature(
            "notices",
            handlers: { NotificationHandlers.register(parts.hub, parts.markets, parts.clock, in: &$0) },
            working: [
                ServiceComponent(
                    "name removal", stage: .background,
                    NameRemoval(pool: parts.base.pool, logger: parts.base.bootstrap.logger))
            ])
    }
}
