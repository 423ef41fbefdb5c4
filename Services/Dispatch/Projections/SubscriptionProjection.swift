import Contracts
import Messaging
import Postgres

/// Stores the ends of providers' subscriptions (C8). A setting of the market decides whether they matter. The end needs
/// no event, because queries compare the time.
enum SubscriptionProjection {
    static func register(in handlers: inout MessageHandlers) {
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
