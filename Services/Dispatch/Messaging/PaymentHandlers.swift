import Contracts
import Messaging

/// What dispatch hears of the wallet's payments. A refused one changes nothing of an order, unless the promo code is lost that
/// the order was quoted with: then nothing will be held, and the order ends.
enum PaymentHandlers {
    static func add(to handlers: inout MessageHandlers, _ record: RecordPayment) {
        handlers.on(PaymentHeld.self) { received, transaction in
            let payment = received.message.payment
            try await record(.paymentHeld(news(payment)), of: payment.order, at: .thisMillisecond, in: transaction)
            KeepPromoCodes.keepUse(of: payment, counts: true, in: transaction)
        }
        handlers.on(PaymentCaptured.self) { received, transaction in
            let payment = received.message.payment
            var news = news(payment)
            news.earned = received.message.providerShare.amount
            try await record(.paymentCaptured(news), of: payment.order, at: .thisMillisecond, in: transaction)
        }
        // It may free a provider: whoever has locked one waits for no other order.
        handlers.on(PaymentReleased.self, sharesTransaction: false) { received, transaction in
            let payment = received.message.payment
            try await record(.paymentReleased(news(payment)), of: payment.order, at: .thisMillisecond, in: transaction)
            KeepPromoCodes.keepUse(of: payment, counts: false, in: transaction)
        }
        handlers.on(PaymentRefused.self, sharesTransaction: false) { received, transaction in
            guard received.message.reason == PaymentRefused.promoCodeLost else { return }
            let payment = received.message.payment
            var news = news(payment)
            news.neverHeld = PaymentRefused.promoCodeLost
            try await record(.paymentReleased(news), of: payment.order, at: .thisMillisecond, in: transaction)
        }
    }

    private static func news(_ payment: PaymentSnapshot) -> OrderTrigger.PaymentNews {
        OrderTrigger.PaymentNews(method: payment.method?.rawValue, version: payment.version)
    }
}
