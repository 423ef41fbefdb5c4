import Contracts
import Messaging
import Postgres

/// Stores from wallet's events which accounts have a stored card that can be charged (W3), and which cards. The market
/// decides whether a card is required; a series may name one (O7).
///
/// It locks no account: an order that begins at the same moment counts as made before.
enum PaymentMethodProjection {
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(MethodChanged.self) { received, transaction in
            let event = received.message
            transaction.send(
                StoreMethod(
                    account: event.account, hasMethod: event.hasMethod, version: event.version, cards: event.cards))
        }
    }
}
