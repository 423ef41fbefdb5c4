import AMQP
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

extension Feature {
    /// The connected streams of this process, and the positions that they show.
    static func streams(_ parts: NotificationsParts) throws -> Feature {
        let (hub, pool, bootstrap) = (parts.hub, parts.base.pool, parts.base.bootstrap)
        let logger = bootstrap.logger
        let queue = "\(NotificationsService.name).positions.\(UUID.timeOrdered().text)"
        let positions = Consumer(
            try bootstrap.broker(purpose: "positions"), queue: queue, topology: PositionFeed.topology(queue: queue),
            logger: logger)
        let keepDays = try bootstrap.configuration[NotificationsConfiguration.keepDays]
        let purge = StreamPurge(
            pool: pool, markets: parts.markets, keepSeconds: Double(keepDays) * 86_400, clock: parts.clock,
            logger: logger)
        let texts = StreamTexts(
            inbox: parts.texts, markets: { [markets = parts.markets] in markets.named($0) }, logger: logger)
        return Feature(
            "streams",
            routes: { StreamRoute(hub: hub, pool: pool).add(to: $0.signedIn) },
            serving: [
                ServiceComponent(
                    "positions", stage: .consumers, PositionFeed(consumer: positions, hub: hub, logger: logger)),
                ServiceComponent(
                    "stream reader", stage: .background,
                    StreamReader(hub: hub, pool: pool, texts: texts, logger: logger)),
                ServiceComponent(
                    "stream signals", stage: .background, StreamSignals(hub: hub, pool: pool, logger: logger)),
                ServiceComponent(
                    "stream watch", stage: .background,
                    StreamWatch(
                        hub: hub, pool: pool, ended: parts.base.ended, clock: parts.clock, logger: logger)),
                // After the server, so that it stops before it: the server waits for its requests.
                ServiceComponent("stream closer", stage: .http, StreamCloser(hub: hub, thread: pool.thread)),
            ],
            working: [ServiceComponent("stream purge", stage: .background, purge)])
    }
}
