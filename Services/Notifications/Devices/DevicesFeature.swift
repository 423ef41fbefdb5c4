import Contracts
import Postgres
import ServiceKit

extension Feature {
    /// The browsers and phones that push messages go to. They go with the session that registered them.
    static func devices(_ parts: NotificationsParts, _ gateways: PushGateways) throws -> Feature {
        let (base, bootstrap) = (parts.base, parts.base.bootstrap)
        let address = OutgoingAddress(
            allowsPrivate: try bootstrap.configuration[NotificationsConfiguration.privateWebhooks])
        let seal = DeliverySeal(secret: try bootstrap.configuration[DeliverySeal.key])
        return Feature(
            "devices",
            routes: {
                DeviceRoutes(
                    pool: base.pool, address: address, seal: seal, pushKey: gateways.publicKey,
                    kinds: Set(gateways.byKind.keys), clock: parts.clock
                ).add(to: $0.signedIn)
            },
            sessionsEnded: { $1.send(DeleteDevicesOfSessions(sessions: $0.sessions)) })
    }
}
