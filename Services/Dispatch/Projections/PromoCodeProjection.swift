import Contracts
import Messaging
import Postgres

/// Stores the wallet's promo codes and their uses, for quotes (C7).
enum PromoCodeProjection {
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(PromoCodeChanged.self) { received, transaction in keep(received.message, in: transaction) }
    }

    static func keep(_ event: PromoCodeChanged, in transaction: PostgresTransaction) {
        let code = KnownPromoCode(
            id: event.promoCode, market: event.market, code: event.code, basisPoints: event.basisPoints,
            maximum: event.maximum, amount: event.amount, startsAt: event.startsAt, endsAt: event.endsAt,
            endedAt: event.endedAt, minimumPrice: event.minimumPrice, limitPerAccount: event.limitPerAccount,
            isUsedUp: event.isUsedUp)
        transaction.send(StorePromoCode(code: code, version: event.version))
    }

    /// - Parameter counts: whether the payment still uses the code; false after a release, which gives the use back.
    static func keepUse(of payment: PaymentSnapshot, counts: Bool, in transaction: PostgresTransaction) {
        guard let code = payment.promoCode else { return }
        transaction.send(
            StorePromoUse(
                order: payment.order, code: code, account: payment.customer, counts: counts, version: payment.version))
    }
}
