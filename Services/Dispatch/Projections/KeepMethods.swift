import Contracts
import Messaging
import Postgres

/// Keeps who has a stored card that can be charged (W3), as wallet tells. Whether that matters is the market's to say.
///
/// Nobody's account is locked: an order that begins at the same moment is one that was ordered before.
enum KeepMethods {
    static func hear(in handlers: inout MessageHandlers) {
        handlers.on(MethodChanged.self) { received, transaction in
            let event = received.message
            transaction.send(
                StoreMethod(account: event.account, hasMethod: event.hasMethod, version: event.version))
        }
    }
}
