import Contracts
import Messaging
import Postgres

/// Keeps for whom people may order: family links of a market, as identity tells.
enum KeepLinks {
    static func hear(in handlers: inout MessageHandlers) {
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
