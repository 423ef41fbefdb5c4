import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func orders(_ routes: AdminRoutes) -> Feature {
        Feature(
            "orders",
            routes: {
                $0.signedIn.get("markets/{market}/orders", use: routes.orders)
                $0.signedIn.get("markets/{market}/orders.csv", use: routes.ordersCSV)
                $0.signedIn.get("orders/{order}", use: routes.order)
            },
            handlers: OrderHandlers.register
        )
    }
}

/// Keeps orders as their events tell them.
///
/// Every handler may see repeats, in any order: a snapshot replaces older ones only, and an entry of the timeline has its
/// message's id. Events of orders and of their payments share transactions: ``OrderWriter`` writes a batch of them and locks
/// its orders in one order.
enum OrderHandlers {
    static func register(in handlers: inout MessageHandlers) {
        for type in AllMessages.orderEvents where type.name != OrderUndecided.name { on(type, &handlers) }
        handlers.on(OrderUndecided.self) { received, transaction in
            RecordOrder.event(received.message, message: received.envelope.id, in: transaction)
            RecordReport.undecided(received.message, in: transaction)
        }
        handlers.on(OrdersTold.self, sharesTransaction: false) { received, transaction in
            try await StoreRepublishedOrders.told(received.message, in: transaction)
        }
    }

    private static func on<Event: OrderEvent>(_ type: Event.Type, _ handlers: inout MessageHandlers) {
        handlers.on(type) { received, transaction in
            RecordOrder.event(received.message, message: received.envelope.id, in: transaction)
        }
    }
}
