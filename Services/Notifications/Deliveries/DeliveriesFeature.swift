import AsyncHTTPClient
import ServiceKit

extension Feature {
    /// Sends mails and SMS.
    static func deliveries(_ parts: NotificationsParts) throws -> Feature {
        let (pool, bootstrap) = (parts.base.pool, parts.base.bootstrap)
        let client = DeliveryGateways.makeClient()
        let sender = DeliverySender(
            pool: pool,
            gateways: DeliveryGateways(
                client: client, urls: try NotificationsConfiguration.gateways(bootstrap.configuration)),
            seal: DeliverySeal(secret: try bootstrap.configuration[DeliverySeal.key]), catalogue: bootstrap.catalogue,
            logger: bootstrap.logger)
        let closing = ClosingService {
            // try?: the process ends; what the client still holds ends with it.
            try? await client.shutdown()
        }
        return Feature(
            "deliveries", components: [ServiceComponent("delivery client", stage: .database, closing)],
            working: [ServiceComponent("deliveries", stage: .background, sender)])
    }
}
