import Contracts
import Messaging
import Postgres

/// Stores wallet's blocks: an unpaid fine keeps an account from ordering in a market (O2). A block is no ban: existing
/// orders and a provider's work go on.
///
/// It locks no account: an order that begins at the same moment counts as made before, and the wallet takes no payment
/// for it.
enum BlockProjection {
    static func register(in handlers: inout MessageHandlers) {
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
