import Contracts
import Foundation
import Messaging
import Postgres

/// Handles the wallet's payment events. A refused payment changes no order, except when the promo code of the quote is
/// lost: then nothing will be held, and the order ends.
enum PaymentHandlers {
    static func add(
        to handlers: inout MessageHandlers, _ record: RecordPayment, _ refund: RecordRefund, _ tip: RecordTip,
        clock: @escaping @Sendable () -> Date
    ) {
        handlers.on(TipGiven.self) { try await tip($0.message, at: clock(), in: $1) }
        handlers.on(PaymentRefunded.self) { try await refund($0.message, at: clock(), in: $1) }
        handlers.on(PaymentHeld.self) { try await hear($0.message, record, at: clock(), $1) }
        handlers.on(PaymentCaptured.self) { try await hear($0.message, record, at: clock(), $1) }
        // They may free a provider. Holding that lock, a transaction must not wait for another order, so each has its
        // own.
        handlers.on(PaymentReleased.self, sharesTransaction: false) {
            try await hear($0.message, record, at: clock(), $1)
        }
        handlers.on(PaymentRefused.self, sharesTransaction: false) {
            try await hear($0.message, record, at: clock(), $1)
        }
    }

    static func hear(
        _ event: PaymentHeld, _ record: RecordPayment, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let payment = event.payment
        try await record(.paymentHeld(news(payment)), of: payment.order, at: now, in: transaction)
        PromoCodeProjection.keepUse(of: payment, counts: true, in: transaction)
    }

    static func hear(
        _ event: PaymentCaptured, _ record: RecordPayment, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        var captured = news(event.payment)
        captured.earned = event.providerShare.amount
        let merchants = event.shares?.filter { $0.party == .merchant }
        captured.sold = merchants?.reduce(0) { $0 + $1.share.amount + $1.commission.amount }
        try await record(.paymentCaptured(captured), of: event.payment.order, at: now, in: transaction)
    }

    static func hear(
        _ event: PaymentReleased, _ record: RecordPayment, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let payment = event.payment
        try await record(.paymentReleased(news(payment)), of: payment.order, at: now, in: transaction)
        PromoCodeProjection.keepUse(of: payment, counts: false, in: transaction)
    }

    static func hear(
        _ event: PaymentRefused, _ record: RecordPayment, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        guard event.reason == PaymentRefused.promoCodeLost else { return }
        var lost = news(event.payment)
        lost.neverHeld = event.reason
        try await record(.paymentReleased(lost), of: event.payment.order, at: now, in: transaction)
    }

    private static func news(_ payment: PaymentSnapshot) -> OrderTrigger.PaymentNews {
        OrderTrigger.PaymentNews(method: payment.method?.rawValue, version: payment.version)
    }
}
