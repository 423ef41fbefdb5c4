import Contracts
import Messaging
import Postgres

/// Keeps until when providers are subscribed (C8). Whether that matters is a setting of the market; the end needs no
/// event here, since the time itself is compared.
enum KeepSubscriptions {
    static func hear(in handlers: inout MessageHandlers) {
        handlers.on(SubscriptionStarted.self) { received, transaction in
            let event = received.message
            transaction.send(
                StoreSubscription(
                    market: event.market, account: event.account, version: event.version, endsAt: event.endsAt))
        }
        handlers.on(SubscriptionExpired.self) { received, transaction in
            let event = received.message
            transaction.send(
                StoreSubscription(
                    market: event.market, account: event.account, version: event.version, endsAt: event.endedAt))
        }
    }
}
