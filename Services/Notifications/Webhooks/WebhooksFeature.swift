import Postgres
import ServiceKit

extension Feature {
    /// Tells businesses' own servers of their orders.
    static func webhooks(_ parts: NotificationsParts) throws -> Feature {
        let (base, bootstrap) = (parts.base, parts.base.bootstrap)
        let seal = DeliverySeal(secret: try bootstrap.configuration[DeliverySeal.key])
        let address = OutgoingAddress(
            allowsPrivate: try bootstrap.configuration[NotificationsConfiguration.privateWebhooks])
        let queue = WebhookQueue(
            pool: base.pool, client: WebhookClient(address: address, seal: seal), hub: parts.hub,
            clock: parts.clock, logger: bootstrap.logger)
        return Feature(
            "webhooks",
            routes: {
                WebhookRoutes(
                    pool: base.pool, address: address, seal: seal, idempotency: base.idempotency, cursors: base.cursors,
                    clock: parts.clock
                ).add(to: $0.signedIn)
            },
            working: [ServiceComponent("webhooks", stage: .background, queue)],
            keyOwners: [
                .webhook: { [pool = base.pool] in
                    try await pool.first(FindWebhook(id: $0, account: $1))?.market == $2
                }
            ])
    }
}
