import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func payments(_ parts: WalletParts) -> Feature {
        Feature(
            "payments",
            routes: {
                PaymentRoutes(parts: parts).add(to: $0.signedIn)
                TipRoutes(parts: parts).add(to: $0.signedIn)
                MarketPaymentRoutes(parts: parts).add(to: $0.signedIn)
                DeskPaymentRoutes(parts: parts).add(to: $0.signedIn)
            },
            handlers: { PaymentHandlers.register(parts, in: &$0) },
            working: [
                ServiceComponent("payment worker", stage: .background, parts.paymentWorker)
            ],
            keyOwners: [
                .order: { [pool = parts.pool] in
                    try await pool.first(IsCustomersPayment(order: $0, customer: $1, market: $2)) == true
                }
            ])
    }
}

/// Makes payments follow the events of orders.
enum PaymentHandlers {
    static func register(_ parts: WalletParts, in handlers: inout MessageHandlers) {
        let follow = ApplyOrderSnapshot(
            settings: { [markets = parts.markets] in markets.settings(of: $0) },
            authorisationLifetime: parts.authorisationLifetime, logger: parts.logger)
        // Also events before an acceptance: a customer who pays as soon as it is seen finds the payment here.
        for type in AllMessages.orderEvents where type.concernsPayment {
            on(type, follow, parts.clock, &handlers)
        }
        handlers.on(OrdersTold.self, sharesTransaction: false) { received, transaction in
            try await FollowToldOrders.follow(received.message, follow, at: parts.clock(), in: transaction)
        }
        handlers.on(ReportDecided.self) { received, transaction in
            try await DecideReport.decide(received.message, at: parts.clock(), in: transaction)
        }
    }

    private static func on<Event: OrderEvent>(
        _: Event.Type, _ follow: ApplyOrderSnapshot, _ clock: @escaping @Sendable () -> Date,
        _ handlers: inout MessageHandlers
    ) {
        handlers.on(Event.self) { received, transaction in
            try await follow(received.message.order, at: clock(), in: transaction)
        }
    }
}
