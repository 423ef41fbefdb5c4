import Contracts

extension PaymentSnapshot {
    /// The snapshot of a payment for other services.
    init(_ payment: Payment) {
        let state: State =
            switch payment.state {
            case .requested, .due, .closed: .due
            case .authorising: .authorising
            case .held, .frozen, .capturing, .releasing, .crediting: .held
            case .captured: .captured
            case .released, .credited: .released
            }
        let isCaptured = payment.state == .captured
        self.init(
            payment: payment.id, order: payment.order, market: payment.market, version: payment.version, state: state,
            method: payment.method.flatMap { Method(rawValue: $0.rawValue) }, customer: payment.customer,
            provider: payment.provider,
            amount: Money(amount: isCaptured ? payment.price : payment.amount, currency: payment.currency),
            discount: payment.promotion.map { promotion in
                Money(amount: isCaptured ? payment.discount : promotion.discount, currency: payment.currency)
            }, promoCode: payment.promotion?.code)
    }
}
