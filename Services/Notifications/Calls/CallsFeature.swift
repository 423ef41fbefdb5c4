import LiveMarkets
import ServiceKit

extension Feature {
    /// Lets the parties of an order talk to each other by voice.
    static func calls(_ parts: NotificationsParts) throws -> Feature {
        let (base, bootstrap) = (parts.base, parts.base.bootstrap)
        let move = MoveCall(hub: parts.hub, markets: parts.markets)
        let routes = CallRoutes(
            pool: base.pool,
            start: StartCall(
                move: move, ringSeconds: Double(try bootstrap.configuration[CallConfiguration.ringSeconds])),
            relay: try CallConfiguration.relay(bootstrap.configuration), metrics: bootstrap.registry,
            clock: parts.clock)
        let sweep = CallSweep(pool: base.pool, move: move, clock: parts.clock, logger: bootstrap.logger)
        return Feature(
            "calls", routes: { routes.add(to: $0) },
            working: [ServiceComponent("calls", stage: .background, sweep)])
    }
}
