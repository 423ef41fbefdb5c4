import Contracts
import Foundation
import LiveMarkets
import Messaging

/// Which message leads to which operation.
enum WalletHandlers {
    static func make(following follow: ApplyOrderSnapshot) -> MessageHandlers {
        var handlers = MessageHandlers()
        add(OrderPending.self, to: &handlers, follow)
        // So that a customer who pays as soon as the acceptance is seen finds the order here.
        add(OrderRequested.self, to: &handlers, follow)
        add(OrderAccepted.self, to: &handlers, follow)
        add(OrderOffered.self, to: &handlers, follow)
        add(OrderPassed.self, to: &handlers, follow)
        add(OrderPreparing.self, to: &handlers, follow)
        add(OrderReopened.self, to: &handlers, follow)
        add(OrderStarted.self, to: &handlers, follow)
        add(OrderRefused.self, to: &handlers, follow)
        add(OrderCancelled.self, to: &handlers, follow)
        add(OrderExpired.self, to: &handlers, follow)
        add(OrderCompleted.self, to: &handlers, follow)
        add(OrderDisputed.self, to: &handlers, follow)
        handlers.on(ReportDecided.self) { received, transaction in
            try await DecideReport.decide(received.message, at: Date(), in: transaction)
        }
        LiveMarkets.register(in: &handlers)
        WalletDeletionHandlers.register(in: &handlers)
        RenewalStopHandlers.register(in: &handlers)
        return handlers
    }

    private static func add<Event: OrderEvent>(
        _: Event.Type, to handlers: inout MessageHandlers, _ follow: ApplyOrderSnapshot
    ) {
        handlers.on(Event.self) { received, transaction in
            try await follow(received.message.order, at: Date(), in: transaction)
        }
    }
}
