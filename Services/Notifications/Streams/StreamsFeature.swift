import AMQP
import Contracts
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
        func feed(
            _ name: String, of exchange: String, _ tell: @escaping @Sendable (Delivery) throws -> Void
        ) throws
            -> ServiceComponent
        {
            let queue = "\(NotificationsService.name).\(name).\(UUID.timeOrdered().text)"
            let consumer = Consumer(
                try bootstrap.broker(purpose: name), queue: queue,
                topology: PositionFeed.topology(queue: queue, exchange: exchange), logger: logger)
            return ServiceComponent(
                name, stage: .consumers, PositionFeed(consumer: consumer, logger: logger, tell: tell))
        }
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
                try feed("positions", of: ProviderPositions.exchange) { try hub.tellPositions($0) },
                try feed("places", of: FriendPlaces.exchange) { try hub.tellPlaces($0) },
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
