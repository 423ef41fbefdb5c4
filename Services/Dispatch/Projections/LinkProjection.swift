import Contracts
import Messaging
import Postgres

/// Stores identity's family links of a market, which allow people to order for each other.
enum LinkProjection {
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(LinkConfirmed.self) { received, transaction in
            let link = received.message
            transaction.send(
                StoreLink(link: link.link, market: link.market, from: link.from, to: link.to, scopes: link.scopes))
        }
        handlers.on(LinkRemoved.self) { received, transaction in
            let link = received.message
            transaction.send(RemoveLink(link: link.link, market: link.market, from: link.from, to: link.to))
        }
    }
}
