import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func money(_ routes: AdminRoutes) -> Feature {
        Feature(
            "money",
            routes: {
                $0.signedIn.get("markets/{market}/money", use: routes.money)
                $0.signedIn.get("markets/{market}/money.csv", use: routes.moneyCSV)
            },
            handlers: PaymentHandlers.register
        )
    }
}

/// Keeps payments as the wallet's events tell them, in transactions that they share with events of orders.
enum PaymentHandlers {
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(PaymentHeld.self) { received, transaction in
            RecordPayment.held(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentRefused.self) { received, transaction in
            RecordPayment.refused(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentCaptured.self) { received, transaction in
            RecordPayment.captured(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentReleased.self) { received, transaction in
            RecordPayment.released(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentsTold.self, sharesTransaction: false) { received, transaction in
            try await StoreRepublishedPayments.told(received.message, in: transaction)
        }
    }
}
