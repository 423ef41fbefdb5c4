import AsyncHTTPClient
import ServiceKit

extension Feature {
    /// Sends mails, SMS and push messages.
    static func deliveries(_ parts: NotificationsParts, _ push: PushGateways) throws -> Feature {
        let (pool, bootstrap) = (parts.base.pool, parts.base.bootstrap)
        let seal = DeliverySeal(secret: try bootstrap.configuration[DeliverySeal.key])
        let gateways = try DeliveryGateways(bootstrap.configuration)
        let sender = DeliverySender(
            pool: pool, gateways: gateways.byChannel, seal: seal, catalogue: bootstrap.catalogue,
            unsubscribing: try MailUnsubscribing(bootstrap.configuration), clock: parts.clock,
            logger: bootstrap.logger)
        let pushes = PushSender(
            pool: pool, gateways: push.byKind, seal: seal, texts: parts.texts, catalogue: bootstrap.catalogue,
            clock: parts.clock, logger: bootstrap.logger)
        let closing = ClosingService {
            await gateways.close()
            // try?: the process ends; what the client still holds ends with it.
            try? await push.client.shutdown()
        }
        return Feature(
            "deliveries", components: [ServiceComponent("delivery client", stage: .database, closing)],
            working: [
                ServiceComponent("deliveries", stage: .background, sender),
                ServiceComponent("push", stage: .background, pushes),
            ])
    }
}
