import Contracts
import Messaging
import Postgres

/// Keeps whom an unpaid fine keeps from ordering in a market (O2), as wallet tells. No ban: what was ordered before goes on,
/// and so does a provider's work.
///
/// Nobody's account is locked: an order that begins at the same moment is one that was ordered before, and wallet takes no
/// payment for it.
enum KeepBlocks {
    static func hear(in handlers: inout MessageHandlers) {
        handlers.on(AccountBlocked.self) { received, transaction in
            let event = received.message
            transaction.send(
                StoreBlock(account: event.account, market: event.market, isBlocked: true, version: event.version))
        }
        handlers.on(AccountUnblocked.self) { received, transaction in
            let event = received.message
            transaction.send(
                StoreBlock(account: event.account, market: event.market, isBlocked: false, version: event.version))
        }
    }
}
